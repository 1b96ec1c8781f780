// What a test compares, of a campaign or of a send step. The rows are with those of what is tested.

/** One of the mails that a test compares; what it leaves out is that of the campaign or the step. */
export interface TestVariant {
  name: string
  subject?: string
  previewText?: string
  fromName?: string
  fromEmail?: string
  replyTo?: string
  templateId?: string
}

/** By clicks of people so many hours after, or by hand. */
export type WinnerChoice = { by: 'clicks'; afterHours: number } | { by: 'hand' }

export interface AbTest {
  variants: TestVariant[]
  /** Percent of all that get one of the variants, each as many. */
  share: number
  /** Percent of all that get nothing. */
  holdOut: number
  /** How it is chosen what everybody else gets; null: there is nobody else. */
  winner: WinnerChoice | null
}

/** The name of a count of one variant of a test. */
export const countOf = (variant: string, name: string) => `${name} of ${variant}`
