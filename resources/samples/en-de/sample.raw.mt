Feuer schließt nördlichen Hafen für zwei Tage
Ein Brand an Bord des Frachtschiffs Marlena hat in der Nacht zum Dienstag die Arbeit im nördlichen Hafen zum Stillstand gebracht.
Die Crew von neunzehn verließ das Gefäß unverletzt, sagte die Hafenbehörde.
Nach Angaben der Feuerwehr brachen die Flammen kurz nach 23 Uhr in einem Halt aus, der mit gebrauchten Batterien geladen war.
Niemand konnte am Mittwoch sagen, wie die Batterien Feuer gefangen hatten.
Feuerwehrleute mussten den Rumpf bis zum frühen Morgen von drei Schleppern aus kühlen, weil die Wasserversorgung am Kai nicht genug Druck lieferte.
„Wir hatten Glück, dass der Wind drehte“, sagte Betriebsleiter Hanna Brekke.
Elf Schiffe warten derzeit in der Bucht, darunter zwei Tanker und eine Fähre mit 430 Passagieren.
Die Fährgesellschaft hat die Passagiere in Hotels aufgestellt und versprochen, ihre Karten zu erstatten.
Die Bewohner des Alten Kais wurden gebeten, ihre Fenster geschlossen zu halten.
Ob giftiger Rauch das Stadtzentrum erreicht hat, wird noch von einem unabhängigen Labor untersucht; erste Ergebnisse werden bis Ende der Woche erwartet.
Die Reederei konnte nicht für einen Kommentar erreicht werden.
Vor dem ersten Gebrauch
Entfernen Sie das gesamte Verpackungsmaterial und waschen Sie den Wassertank mit warmem Wasser und einem milden Spülmittel aus.
Platzieren Sie die Maschine auf einer Ebene Oberfläche, die gegen Hitze beständig und aus der Reichweite von Kindern ist.
Tauchen Sie die Basis niemals in Wasser.
Füllen Sie den Tank bis zur MAX-Markierung und schließen Sie den Deckel, bis es in Platz klickt.
Drücken und halten Sie die Dampftaste für fünf Sekunden, um das Entkalkungsprogramm zu starten.
Das orange Licht blinkt, während sich die Maschine aufheizt, und bleibt an, sobald sie bereit ist.
Öffnen Sie den Filterhalter, während die Pumpe läuft, da heißes Wasser herausspritzen kann.
Wenn der Kaffee schmeckt bitter, wählen Sie einen gröberen Schliff oder verwenden Sie etwas weniger Pulver.
Das Tropftablett muss geleert werden, wenn der rote Schwimmer sichtbar wird.
Ziehen Sie den Stecker aus der Steckdose, bevor Sie sie reinigen.
Die Stromschnur darf nur vom Hersteller, seinem Kundendienst oder einer ähnlich qualifizierten Person ersetzt werden, um Gefahren zu vermeiden.
Garantieansprüche erlöschen, wenn die Maschine mit Teilen anderer Hersteller repariert wurde.
Hallo alle,
Danke für eure schnellen Antworten über das Offsite im Mai.
Es sieht so aus, als könnten die meisten von uns es am 14. machen, also lasst uns mit diesem gehen.
Ich habe das Gästehaus am See nach zwölf Einzelzimmern und einem großen Tisch gefragt.
Sie geben uns bis Freitag Bescheid.
Könnte bitte jemand nach den Zugtickets schauen?
Ich bin vom 3. bis zum 7. im Urlaub und werde keinen Zugriff auf meine Mails haben.
Ich bin froh, die Tickets zu machen, aber ich muss wissen, wer eine Schienenkarte hat.
Sagt mir bitte auch, ob ihr vegetarisch esst oder gegen etwas allergisch seid.
Noch etwas: Die Heizung im Gästehaus wird gerade repariert, bringt also für den Fall einen warmen Springer mit.
Wir sehen uns am 14.!
Prost, Ruth
Geröstete Kürbissuppe mit Salbei
Den Kürbis halbieren und die Kerne mit einem Löffel herauskratzen.
Die Hälften mit Öl und Salz reiben und sie für vierzig Minuten bei 200 Grad braten, bis die Ränder braun drehen.
In der Zwischenzeit schwitzen Sie die Zwiebeln in Butter, ohne sie färben zu lassen.
Den Knoblauch, den Thymian und eine Prise Muskatnuss hinzufügen und gut umrühren.
Das Fleisch aus der Haut schöpfen und es in den Topf legen.
Einen Liter Brühe hinzugießen, aufkochen und eine Viertelstunde lang sanft köcheln lassen.
Die Salbeiblätter in etwas Öl nicht länger als zehn Sekunden braten, oder sie werden bitter.
Mischen bis glatt und nach Geschmack würzen.
Mit einem Löffel Sahne und dunklem Brot servieren.
Die Suppe hält drei Tage im Kühlschrank und kann gefroren werden.
Abschnitt 4: Miete und Einzahlung
Die Miete ist im Voraus am dritten Werktag jedes Monats fällig.
Der Mieter soll eine Einzahlung in der Höhe von zwei Monatsmieten zahlen, die der Vermieter getrennt von seinen eigenen Vermögen investieren soll.
Die Untervermietung bedarf der vorherigen schriftlichen Zustimmung des Vermieters.
Sollte der Mieter trotz schriftlicher Mahnung mit angemessener Nachfrist mehr als dreißig Tage mit der Miete oder einem wesentlichen Teil davon in Verzug sein, oder sollte er die Räumlichkeiten entgegen dem vereinbarten Zweck nutzen, dort Tiere ohne Erlaubnis behalten oder die Wohnung an dritte Parteien übergeben, ist der Vermieter berechtigt, den Mietvertrag ohne Benachrichtigung zu beenden, die sofortige Rückkehr aller Schlüssel zu verlangen und Schäden für den Zeitraum zu behaupten, bis die Räumlichkeiten wieder vermietet worden sind.
Kleinere Reparaturen trägt der Mieter bis zu einem Betrag von 90 Euro pro Fall.
Der Vermieter darf die Wohnung nur nach Kündigung von mindestens 48 Stunden betreten, es sei denn, es besteht unmittelbare Gefahr.
Mündliche Nebenabreden wurden nicht getroffen.
Sollten einzelne Vorschriften dieses Vertrags ungültig sein, wird die Gültigkeit der übrigen Vorschriften unberührt bleiben.
Änderungen an diesem Vertrag müssen schriftlich gemacht werden.
Großartiger Klang, armer Fall
Ich habe diese Kopfhörer seit drei Monaten jeden Tag benutzt und ich bin immer noch beeindruckt.
Der Akku hält locker eine ganze Arbeitswoche.
Die Geräuschunterdrückung funktioniert im Zug so gut, dass ich meinen Halt zweimal vermisst habe.
Leider ist das Etui schon nach einer Woche leider auseinandergefallen.
Zwei Sterne, weil die linke Seite weiter ausschneidet.
Der Verkäufer antwortete zwar innerhalb eines Tages, bot mir aber nur einen Gutschein statt eines Ersatzgeräts an.
Nicht für Menschen mit Gläsern!
Sie drücken so stark auf die Tempel, dass ich nach einer halben Stunde Kopfschmerzen bekomme, was eine echte Schande ist, denn sonst würde ich ihnen jedem empfehlen.
Meine Tochter liebt ihre, meine gingen zurück.
Wert für Geld: ausgezeichnet.
Man bekommt, wofür man bezahlt.
Raum 3: Die astronomische Uhr
Diese Uhr wurde zwischen 1586 und 1591 vom Schlosser Jakob Reimers und seinen beiden Söhnen gebaut.
Es zeigt nicht nur die Stunden, sondern auch die Phasen des Mondes, die Position der Planeten und die Festtage der Heiligen.
Die Hände bestehen aus vergoldetem Kupfer.
Jeden Tag um Mittag öffnet eine kleine Tür über der Wählscheibe und die Figur eines Mönchs streikt eine Glocke.
Die ursprüngliche Bewegung wurde 1743 ersetzt, da es fast eine Viertelstunde am Tag verloren hatte.
Teile davon liegen in dem Fall zu Ihrer Linken.
Während des Krieges wurde die Uhr hinter Ziegeln und Sandsäcken eingemauert und überstand so die Bombardierung der Kirche fast unbeschädigt.
Schauen Sie genau auf den unteren Rand: Der Uhrmacher hat sich dort mit einem winzigen Porträt verewigt, das nicht größer ist als ein Miniaturbild.
Bitte berühren Sie das Glas nicht.
Der Audioguide hat mehr auf die Legende vom blinden Uhrmacher unter der Nummer 27.
Unwetterwarnung, ausgegeben Donnerstag, 6 Uhr
Ein tiefes Tief über der Nordsee wird ab diesem Nachmittag Sturmkraftwinde an die ganze Küste bringen.
Es werden Böen von bis zu 110 Kilometern pro Stunde erwartet, auf exponierten Landspitzen sogar mehr.
Sichere lose Objekte auf Balkonen und in Gärten.
Meiden Sie Wälder und Parks und halten Sie sich von Gerüsten fern.
Die Flut wird bis zu zwei Meter höher als üblich sein, so dass die Promenade und der Fischmarkt gegen Mitternacht wahrscheinlich überflutet werden.
Schienendienste nördlich von Aldersee können kurzfristig storniert werden.
In den Bergen geht der Regen oberhalb von 900 Metern in Schnee über.
Fahrer sollten in den frühen Stunden des Freitags schwarzes Eis erwarten.
Der Wind wird im Laufe des Samstags nachlassen, aber er wird kalt bleiben.
Die nächste Aktualisierung wird um 12 Uhr veröffentlicht.
Was Sie wissen müssen, bevor Sie diese Tabletten einnehmen
Nehmen Sie diese Tabletten nicht ein, wenn Sie gegen einen der Bestandteile allergisch sind.
Sagen Sie Ihrem Arzt, wenn Sie unter hohem Blutdruck leiden oder hatten kürzlich eine Operation.
Erwachsene und Jugendliche über 12 Jahre nehmen dreimal täglich eine Tablette mit viel Wasser.
Die Tabletten müssen ganz geschluckt werden und müssen nicht gekaut werden.
Wenn Sie mehr Tabletten eingenommen haben, als Sie sollten, wenden Sie sich sofort an einen Arzt.
Nehmen Sie keine doppelte Dosis, um für eine vergessene Tablette aufzuholen.
Mögliche Nebenwirkungen sind Übelkeit, Schwindel, Mundtrockenheit und in seltenen Fällen Hautausschlag.
Diese Tabletten können Sie schläfrig machen; fahren Sie nicht und operieren Sie keine Maschinen, bis Sie wissen, wie sie Sie beeinflussen.
Unter 25 Grad speichern und vor Feuchtigkeit schützen.
Außer Sicht- und Reichweite von Kindern aufbewahren.
Fragen Sie Ihren Apotheker, wie Sie über Arzneimittel verfügen, die Sie nicht mehr verwenden.
Der Brief kam an einem Dienstag.
Ada öffnete es nicht sofort; sie stellte es gegen die Zuckerschale und sah es an, während der Kessel murrte.
Niemand hatte ihr seit elf Jahren geschrieben, nicht mehr, seit ihr Bruder zur See gefahren war.
Die Handschrift war seine.
Draußen fegte die Lampe über das Wasser, wie sie es jede Nacht ihres Lebens getan hatte, und die Möwen gaben vor, zu schlafen.
„Du könntest es genauso gut lesen“, sagte die Katze, oder vielleicht war es nur der Wind im Ofenrohr.
Sie lachte, trocknete sich die Hände ab und schlitzte den Umschlag mit dem Brotmesser auf.
Es waren nur vier Wörter auf dem Papier.
Halte das Licht brennen.
Sie las sie, bis sie aufhörten, Wörter zu sein, und dann zog sie den schweren Mantel ihres Vaters an, nahm das Öl kann von seinem Haken und kletterte die hundertzwölf Schritte, weil ein Versprechen ein Versprechen ist, auch wenn niemand Sie gebeten hat, es zu machen.
Auf halbem Weg nach oben musste sie anhalten und ihren Atem zurückbekommen.
Es regnete Katzen und Hunde, als sie die Galerie erreichte.
Das Meer war schwarz.
Und weit draußen, wo kein Schiff hätte sein sollen, antwortete etwas.
Version 4.2 – Was ist neu
Sie können jetzt Registerkarten aus dem Fenster ziehen, um sie in einem Fenster von ihren eigenen zu öffnen.
Das Suchfeld findet jetzt auch Text in Anhängen.
Einen Absturz behoben, der auftrat, wenn eine Datei auf einer Fahrt gespeichert wurde, die ausgesteckt worden war.
Rückgängig erinnert sich jetzt an die letzten 500 Schritte statt 50.
Das dunkle Thema ignoriert die Kontrasteinstellung des Betriebssystems nicht mehr.
Der Export in Tabellen ist bei großen Projekten bis zu sechsmal schneller.
Bekanntes Problem: Auf einigen Laptops verschwindet der Cursor, wenn das Lid geschlossen und wieder geöffnet wird.
Als Workaround drücken Sie zweimal irgendeinen Schlüssel.
Die Unterstützung für das alte Plug-in-Format endet mit dieser Freilassung; bitte fragen Sie die Autoren Ihrer Plug-ins nach einer aktualisierten Version, bevor Sie upgraden.
Der Installateur fragt jetzt, bevor er Ihre Einstellungen überschreibt.
Vielen Dank an alle, die Käfer gemeldet und uns während der Beta Flicken geschickt haben.
Artikel 5: Radweg entlang des Mühlenstroms
Der Bürgermeister eröffnete die Sitzung um 19.05 Uhr und stellte fest, dass sie ein Quorum hatte.
Stadtrat Ostrow fragte, warum die Kosten innerhalb eines Jahres von 1,2 auf 1,9 Millionen Euro gestiegen seien.
Der Kopf der Bauabteilung erklärte, dass die Brücke über den Bach nicht Teil der ersten Schätzung gewesen war, dass Stahl erheblich teurer geworden war und dass der Staat mindestens die Hälfte der zusätzlichen Kosten ertragen würde.
Frau Dahl widersprach, dass die alten Limettenbäume für den Weg gefällt werden müssten.
Sie bewegte, dass die Abstimmung verschoben wird, bis eine Expertenmeinung verfügbar war.
Der Antrag wurde mit 14 zu 9 Stimmen bei zwei Enthaltungen abgelehnt.
Der Bürgermeister stellte dann den ursprünglichen Vorschlag zur Abstimmung.
Es wurde adoptiert.
Die Verwaltung wurde angewiesen, für jeden Baum, der gefällt wird, mindestens drei neue Bäume zu pflanzen und dem Rat zweimal im Jahr zu berichten.
Der öffentliche Teil der Sitzung endete um 9.40 Uhr.
