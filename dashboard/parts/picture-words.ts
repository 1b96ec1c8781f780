// The words of pictures, in the library and wherever one is chosen.

import { counted, inLanguage } from '../words.ts'

export const words = inLanguage({
  en: {
    title: 'Pictures',
    all: 'All pictures',
    upload: 'Upload pictures',
    orDrop: 'or drop or paste them anywhere on this page. PNG, JPEG, WebP or GIF, at most 10 MB.',
    orDropHere: 'or drop or paste them here.',
    tooLarge: (name: string) => `${name} has more than 10 MB.`,
    uploaded: (name: string) => `${name} is uploaded.`,
    search: 'Name or description',
    emptyFiltered: 'No picture is called or described like that.',
    empty: 'No pictures yet. Mails show them from here, and so need no other server.',
    room: (used: string, limit: string) => `${used} of ${limit} used`,
    choose: 'Choose a picture',
    more: 'Older pictures',
    whatItShows: 'What does it show?',
    whatItShowsHow: 'Read aloud to those who do not see it, and shown where pictures are not loaded.',
    keep: 'Keep',
    decorates: 'It only decorates',
    name: 'Name',
    alt: 'What it shows',
    noAlt: 'not described',
    save: 'Save',
    saved: 'Saved.',
    address: 'Address',
    size: 'Size',
    pixels: (width: number, height: number) => `${width} × ${height} pixels`,
    moves: 'animated',
    since: 'Uploaded',
    usedBy: 'Shown by',
    usedByNothing: 'Nothing that is yet to be sent.',
    kinds: { template: 'Template', campaign: 'Campaign', recurringCampaign: 'Recurring campaign', brand: 'Brand' },
    remove: 'Delete',
    removeHow:
      'If it was ever in a mail, it only leaves the library: mails already sent keep showing it. Otherwise its address shows nothing from now on.',
    erase: 'Delete everywhere',
    eraseHow: (n: number) =>
      `${counted(n, 'thing above shows', 'things above show')} it. Its place stays empty there, and in mails already sent.`,
    removed: 'Removed from the library; mails already sent keep showing it.',
    deleted: 'Deleted.',
  },
  de: {
    title: 'Bilder',
    all: 'Alle Bilder',
    upload: 'Bilder hochladen',
    orDrop: 'oder irgendwo auf dieser Seite ablegen oder einfügen. PNG, JPEG, WebP oder GIF, höchstens 10 MB.',
    orDropHere: 'oder hier ablegen oder einfügen.',
    tooLarge: (name: string) => `${name} hat mehr als 10 MB.`,
    uploaded: (name: string) => `${name} ist hochgeladen.`,
    search: 'Name oder Beschreibung',
    emptyFiltered: 'Kein Bild heißt so oder ist so beschrieben.',
    empty: 'Noch keine Bilder. Mails zeigen sie von hier und brauchen keinen anderen Server.',
    room: (used: string, limit: string) => `${used} von ${limit} belegt`,
    choose: 'Bild wählen',
    more: 'Ältere Bilder',
    whatItShows: 'Was ist darauf zu sehen?',
    whatItShowsHow: 'Wird denen vorgelesen, die es nicht sehen, und steht da, wo keine Bilder geladen werden.',
    keep: 'Übernehmen',
    decorates: 'Es ist nur Schmuck',
    name: 'Name',
    alt: 'Was darauf zu sehen ist',
    noAlt: 'nicht beschrieben',
    save: 'Speichern',
    saved: 'Gespeichert.',
    address: 'Adresse',
    size: 'Größe',
    pixels: (width: number, height: number) => `${width} × ${height} Pixel`,
    moves: 'bewegt',
    since: 'Hochgeladen',
    usedBy: 'Zu sehen in',
    usedByNothing: 'Nichts, das noch verschickt wird.',
    kinds: {
      template: 'Vorlage',
      campaign: 'Kampagne',
      recurringCampaign: 'Wiederkehrende Kampagne',
      brand: 'Marke',
    },
    remove: 'Löschen',
    removeHow:
      'War es je in einer Mail, verlässt es nur die Sammlung: Verschickte Mails zeigen es weiter. Sonst zeigt seine Adresse ab jetzt nichts mehr.',
    erase: 'Überall löschen',
    eraseHow: (n: number) =>
      `${counted(n, 'Eintrag oben zeigt', 'Einträge oben zeigen')} es. Dort und in verschickten Mails bleibt sein Platz leer.`,
    removed: 'Aus der Sammlung genommen; verschickte Mails zeigen es weiter.',
    deleted: 'Gelöscht.',
  },
})

const units = ['B', 'kB', 'MB', 'GB']

/** `1.2 MB` */
export function bytes(n: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, n)) / 3))
  const value = n / 1000 ** step
  return `${value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[step]}`
}
