// Reads what kit/measures.ts writes: the text format of Prometheus.

export interface Sample {
  labels: Record<string, string>
  value: number
}

export type Where = (labels: Sample['labels']) => boolean

/** The samples of one answer, by name. */
export class Samples {
  readonly #samples: Map<string, Sample[]>

  constructor(samples: Map<string, Sample[]>) {
    this.#samples = samples
  }

  all(name: string, where: Where = () => true): Sample[] {
    return (this.#samples.get(name) ?? []).filter(({ labels }) => where(labels))
  }

  sum(name: string, where?: Where): number {
    return this.all(name, where).reduce((sum, { value }) => sum + value, 0)
  }

  /** Null when it is not there. */
  one(name: string, where?: Where): number | null {
    return this.all(name, where)[0]?.value ?? null
  }
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const label = /\b(\w+)="((?:[^"\\]|\\.)*)"/g

export function readMetrics(text: string): Samples {
  const samples = new Map<string, Sample[]>()
  for (const [, name = '', labels = '', value] of text.split('\n').flatMap((one) => [line.exec(one) ?? []])) {
    if (name === '') continue
    const named = [...labels.matchAll(label)].map(([, key = '', text = '']) => [key, unescaped(text)])
    samples.getOrInsertComputed(name, () => []).push({ labels: Object.fromEntries(named), value: Number(value) })
  }
  return new Samples(samples)
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
}
