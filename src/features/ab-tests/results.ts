// What a test has shown so far: the counts of each variant, of the people who tested it.

import { type AbTest, countOf } from '../../../db/tables/ab-tests.ts'

const counted = ['sent', 'bounced', 'opened', 'clicked', 'left', 'complained'] as const
type Counted = Record<(typeof counted)[number], number>

export interface TestedVariant extends Counted {
  name: string
}

/** `counts` by name, as `sent of A`. */
export function resultsOf(test: AbTest, counts: Record<string, number>): TestedVariant[] {
  return test.variants.map(({ name }) => {
    const figures = counted.map((figure) => [figure, counts[countOf(name, figure)] ?? 0])
    return { name, ...(Object.fromEntries(figures) as Counted) }
  })
}
