// How sure it is that the variant which leads a test is better: a two-proportion z-test of the leader against the next, corrected for the
// number of variants (Bonferroni), in words.

export interface VariantResult {
  name: string
  /** Mails that a mail server took. */
  sent: number
  /** Mails in which a person followed a link. */
  clicked: number
}

export interface TestVerdict {
  /** Null while nothing was sent. */
  leader: string | null
  /** 0 to 1. */
  confidence: number
  /** For people. */
  sentence: string
}

/** Fewer clicks in all say nothing. */
const fewestClicks = 10

export function judge(variants: VariantResult[]): TestVerdict {
  const [first, second] = variants
    .filter(({ sent }) => sent > 0)
    .toSorted((one, other) => clickRate(other) - clickRate(one))
  if (first === undefined) return { leader: null, confidence: 0, sentence: 'Nothing was sent yet.' }
  const leader = first.name
  const clicks = variants.reduce((sum, { clicked }) => sum + clicked, 0)
  if (second === undefined || clicks < fewestClicks)
    return { leader, confidence: 0, sentence: `Too few clicks to tell; ${leader} leads.` }
  const chance = (1 - normal(zScore(first, second))) * (variants.length - 1)
  const confidence = Math.max(0, 1 - chance)
  return { leader, confidence, sentence: inWords(leader, confidence) }
}

function inWords(leader: string, confidence: number): string {
  const percent = confidence > 0.99 ? 'more than 99 %' : `${Math.floor(confidence * 100)} %`
  if (confidence >= 0.95) return `${leader} is very likely better (${percent}).`
  if (confidence >= 0.8) return `${leader} is probably better (${percent}).`
  return `Too close to call; ${leader} leads.`
}

/** At most 1: a mail whose end nobody knows is not sent, and may be clicked. */
export const clickRate = ({ sent, clicked }: VariantResult) => (sent === 0 ? 0 : Math.min(1, clicked / sent))

/** How far apart two shares are, in standard deviations. */
function zScore(one: VariantResult, other: VariantResult): number {
  const [rate, otherRate] = [clickRate(one), clickRate(other)]
  const pooled = (rate * one.sent + otherRate * other.sent) / (one.sent + other.sent)
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / one.sent + 1 / other.sent))
  return deviation === 0 ? 0 : (rate - otherRate) / deviation
}

/** The standard normal distribution up to z >= 0 (Abramowitz and Stegun, 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const factors = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153]
  const tail = factors.reduce((sum, factor) => (sum + factor) * t, 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
