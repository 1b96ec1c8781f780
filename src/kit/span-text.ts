// How long something took, to the minute: `2 d 3 h 0 min`. Read in English and German alike.

/** Null: less than half a minute. */
export function spanText(seconds: number): string | null {
  const minutes = Math.round(seconds / 60)
  if (minutes === 0) return null
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  const parts = [days > 0 && `${days} d`, hours > 0 && `${hours} h`, `${minutes % 60} min`]
  return parts.filter(Boolean).join(' ')
}
