// The few words a mail has that no author wrote, by language; English where we have no translation.

import { baseLocale } from '../../../kit/locale.ts'
import { ownValue } from '../../../kit/own-value.ts'

const unsubscribe: Record<string, string> = {
  ar: 'إلغاء الاشتراك',
  da: 'Afmeld',
  de: 'Abmelden',
  en: 'Unsubscribe',
  es: 'Cancelar suscripción',
  fa: 'لغو اشتراک',
  fi: 'Peruuta tilaus',
  fr: 'Se désabonner',
  he: 'הסרה מרשימת התפוצה',
  it: 'Annulla iscrizione',
  ja: '配信停止',
  nb: 'Meld av',
  nl: 'Afmelden',
  pl: 'Wypisz się',
  pt: 'Cancelar inscrição',
  sv: 'Avregistrera',
  tr: 'Abonelikten çık',
  uk: 'Відписатися',
  ur: 'رکنیت ختم کریں',
  zh: '退订',
}

export function unsubscribeLabel(locale: string): string {
  return ownValue(unsubscribe, baseLocale(locale)) ?? 'Unsubscribe'
}
