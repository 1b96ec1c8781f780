// The words of a mail that is written as HTML or MJML.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    bring: 'HTML or MJML…',
    title: 'A mail that exists as HTML or MJML',
    how: 'Paste it, or choose its file. It keeps its look: it is read and written anew without what a mail may not contain, such as scripts and forms.',
    source: 'Source',
    file: 'From a file',
    dialect: 'Its placeholders are those of',
    ours: 'Paquebot: {{contact.firstName}}',
    read: 'Look at it',
    use: 'Use it',
    asTree: 'It becomes components, which you can edit here one by one.',
    asSource: 'It stays a source, which you can edit beside the mail.',
    nothingLeftOut: 'Nothing is left out.',
    leftOut: 'Left out',
    replaces: 'It takes the place of what is there; undo brings that back.',
    sourceOf: (kind: string) => `Source (${kind})`,
    ownFooter: 'Do not add our footer: refuse a campaign in which it shows no unsubscribe link',
    places: 'A click in the mail shows its place here; the place you are at is framed in the mail.',
  },
  de: {
    bring: 'HTML oder MJML …',
    title: 'Eine Mail, die es als HTML oder MJML gibt',
    how: 'Einfügen oder die Datei wählen. Sie behält ihr Aussehen: Sie wird gelesen und neu geschrieben, ohne das, was eine Mail nicht enthalten darf, etwa Skripte und Formulare.',
    source: 'Quelltext',
    file: 'Aus einer Datei',
    dialect: 'Ihre Platzhalter sind die von',
    ours: 'Paquebot: {{contact.firstName}}',
    read: 'Ansehen',
    use: 'Übernehmen',
    asTree: 'Daraus werden Bausteine, die sich hier einzeln bearbeiten lassen.',
    asSource: 'Sie bleibt Quelltext, der sich neben der Mail bearbeiten lässt.',
    nothingLeftOut: 'Es wird nichts weggelassen.',
    leftOut: 'Weggelassen',
    replaces: 'Sie ersetzt, was da ist; Rückgängig holt es zurück.',
    sourceOf: (kind: string) => `Quelltext (${kind})`,
    ownFooter: 'Keine Fußzeile von uns anfügen: eine Kampagne ablehnen, in der kein Abmeldelink zu sehen ist',
    places: 'Ein Klick in die Mail zeigt hier die Stelle; die Stelle, an der du bist, ist in der Mail umrandet.',
  },
})
