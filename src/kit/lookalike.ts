// Whether an address may only look like one that a person knows: letters of several alphabets are drawn alike (Unicode TR 39).

/** Their small letters are drawn like each other's: о, ο, օ and o. */
const drawnAlike = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu', 'Georgian'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)
/** A name beyond ASCII, as it stands on the wire (RFC 5890: an A-label). */
const encoded = /(^|\.)xn--/i

/** True for a domain with letters beyond ASCII in its encoded form, and where one side of the @ has letters of two such alphabets. */
export function mayLookLikeAnother(address: string): boolean {
  const isMixed = (part: string) => drawnAlike.filter((letters) => letters.test(part)).length > 1
  const parts = address.split('@')
  return encoded.test(parts.at(-1) ?? '') || parts.some(isMixed)
}
