"""Campaign set-up: form, validation and workload summary."""
