// What somebody types into one field one after the other. Arabic has a comma (،) and a semicolon (؛) of its own.

/** Addresses and the like, between commas, semicolons, spaces and lines. */
export function separated(text: string): string[] {
  return text.split(/[\s,;،؛]+/).filter(Boolean)
}

/** Names that may have spaces, between commas. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,،]/)
    .map((one) => one.trim())
    .filter(Boolean)
}

/** As they stand in such a field. */
export function asTyped(all: string[]): string {
  return all.join(', ')
}
