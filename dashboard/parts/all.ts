// Loads a list to its end, page by page, for choosing among everything there is: lists, segments, templates.

const perPage = 100

interface Page<Row> {
  data: Row[]
  pagination: { nextCursor: string | null }
}

/** `most`: of a list that may be long, where its first are enough. */
export async function all<Row>(
  load: (query: { perPage: number; cursor?: string }) => Promise<Page<Row>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null | undefined; cursor !== null && rows.length < most; ) {
    const { data, pagination } = await load({ perPage, ...(cursor !== undefined && { cursor }) })
    rows.push(...data)
    cursor = pagination.nextCursor
  }
  return rows
}
