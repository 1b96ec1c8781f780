// Which languages a person reads who looks at one of our pages.

import { acceptedLocales } from '../../kit/locale.ts'

/** The one that they chose in the dashboard, then those that their browser asks for; the best first. */
export function wantedLanguages(headers: Headers): string[] {
  const chosen = new Bun.CookieMap(headers.get('cookie') ?? '').get('language')
  return [...(chosen ? [chosen] : []), ...acceptedLocales(headers.get('accept-language'))]
}
