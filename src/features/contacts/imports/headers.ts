// Compares headers of files by other services: a header is the list of its words, however it is spelt.

/** Without accents: `Größe` becomes Grosse. */
export function withoutAccents(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** Its letters and digits alone: `E-Mail Address` becomes emailaddress. */
export function headerKey(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** `hasOptedOut_of e-mail` becomes has, opted, out, of, e, mail. */
export function headerWords(text: string): string[] {
  const words = withoutAccents(text).match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []
  return words.map((word) => word.toLowerCase())
}
