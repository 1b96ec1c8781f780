// The components and their properties by name. What is not named here is shown as the API names it.

import { ownValue } from '../../../src/kit/own-value.ts'
import { inLanguage, language } from '../../words.ts'

const types: Record<string, string> = inLanguage({
  en: {
    container: 'Box',
    section: 'Section',
    header: 'Header',
    footer: 'Footer',
    heading: 'Heading',
    text: 'Text',
    button: 'Button',
    link: 'Link',
    image: 'Picture',
    list: 'List or table',
    if: 'If',
    each: 'For each',
    else: 'Otherwise',
    block: 'Block',
  },
  de: {
    container: 'Kasten',
    section: 'Abschnitt',
    header: 'Kopf',
    footer: 'Fuß',
    heading: 'Überschrift',
    text: 'Text',
    button: 'Knopf',
    link: 'Link',
    image: 'Bild',
    list: 'Liste oder Tabelle',
    if: 'Wenn',
    each: 'Für jeden Eintrag',
    else: 'Sonst',
    block: 'Block',
  },
})

/** English names are those of the API, in words. */
const german: Record<string, string> = {
  address: 'Anschrift',
  align: 'Ausrichtung',
  alt: 'Beschreibung',
  as: 'Name des Eintrags',
  backgroundColor: 'Hintergrund',
  blockId: 'Block',
  borderColor: 'Farbe des Randes',
  borderRadius: 'Rundung',
  borderWidth: 'Breite des Randes',
  cellAlign: 'Ausrichtung der Spalten',
  color: 'Farbe',
  columns: 'Spalten',
  columnWidths: 'Breite der Spalten',
  companyName: 'Firma',
  darkLogoUrl: 'Logo im Dunkeln',
  divider: 'Linie',
  fontSize: 'Schriftgröße',
  format: 'Format',
  fullWidth: 'Volle Breite',
  head: 'Kopfzeile',
  height: 'Höhe',
  href: 'Ziel',
  items: 'Einträge',
  itemsVariable: 'Variable der Liste',
  level: 'Ebene',
  lineHeight: 'Zeilenhöhe',
  logoAlt: 'Beschreibung des Logos',
  logoUrl: 'Logo',
  notrack: 'Klicks nicht zählen',
  operator: 'Vergleich',
  ordered: 'Nummeriert',
  padding: 'Abstand innen',
  paddingBottom: 'Abstand unten',
  paddingLeft: 'Abstand links',
  paddingRight: 'Abstand rechts',
  paddingTop: 'Abstand oben',
  paddingX: 'Abstand seitlich',
  paddingY: 'Abstand oben und unten',
  showUnsubscribe: 'Abmeldelink',
  src: 'Adresse des Bildes',
  start: 'Beginnt bei',
  text: 'Text',
  textColor: 'Farbe des Textes',
  totals: 'Summen',
  underline: 'Unterstrichen',
  value: 'Wert',
  variable: 'Variable',
  width: 'Breite',
}

const english: Record<string, string> = {
  alt: 'Description',
  as: 'Name of the entry',
  blockId: 'Block',
  columnWidths: 'Widths of the columns',
  href: 'Link',
  itemsVariable: 'Variable of the list',
  operator: 'Comparison',
  notrack: 'Do not count clicks',
  src: 'Address of the picture',
}

export function typeName(type: string): string {
  return ownValue(types, type) ?? type
}

export function propertyName(name: string): string {
  if (language === 'de') return ownValue(german, name) ?? name
  const inWords = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return ownValue(english, name) ?? inWords.charAt(0).toUpperCase() + inWords.slice(1)
}
