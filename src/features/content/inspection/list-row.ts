// How much of a mail's subject and preview text three mail clients show in their lists. Clients measure in pixels of their own fonts, so
// the result is an estimate, in columns; a wide character (Chinese, an emoji) takes two.

/** Columns; `together`: subject and preview stand on one line and share it. */
const clients = [
  { client: 'gmail_desktop', subject: 70, preview: 130, together: true },
  { client: 'gmail_phone', subject: 38, preview: 46, together: false },
  { client: 'apple_mail_phone', subject: 36, preview: 90, together: false },
] as const

export interface ListRow {
  client: (typeof clients)[number]['client']
  subject: string
  /** What stands behind or below the subject: the preview text, or where there is none the first words of the mail. */
  previewText: string
  isSubjectCut: boolean
  isPreviewCut: boolean
}

export function listRows({
  subject,
  previewText,
  text,
}: {
  subject: string
  previewText: string
  text: string
}): ListRow[] {
  // What is far behind the longest of them is never measured.
  const behind = previewText.trim() || text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  return clients.map(({ client, subject: width, preview, together }) => {
    const shown = cut(subject, width)
    const left = together ? preview - Bun.stringWidth(shown) : preview
    const seen = cut(behind, left)
    return {
      client,
      subject: shown,
      previewText: seen,
      isSubjectCut: shown !== subject,
      isPreviewCut: seen !== behind,
    }
  })
}

/** The beginning of the text, with an ellipsis where it goes on. */
function cut(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let out = ''
  let taken = 1
  for (const { segment } of letters.segment(text)) {
    taken += Bun.stringWidth(segment)
    if (taken > columns) break
    out += segment
  }
  return `${out.trimEnd()}…`
}
