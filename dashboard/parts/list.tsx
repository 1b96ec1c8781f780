// A page of a list: what is searched for and which page of it stand in the address, and the call that fills it can be copied.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { Sort } from '../../src/core/http/sorting.ts'
import { type Call, toCall } from '../api.ts'
import { usePlace } from '../place.ts'
import { nameOf, type Sorting } from './column-head.tsx'
import { CopyCurl } from './copy.tsx'
import { type Loaded, Show, useLoaded } from './load.tsx'
import { Pages, toSearch } from './pages.tsx'
import { Search } from './search.tsx'

const perPage = 50

interface Page<Row> {
  data: Row[]
  pagination: { nextCursor: string | null; totalResults: number }
}

type Query<Filter extends string, Name extends string> = { perPage: number; cursor?: string; sort?: Sort<Name> } & {
  [One in Filter]?: string
}

/** `More`: what a page says beside its rows. */
interface ListOptions<Row, Filter extends string, More, Name extends string> {
  /** Where it is in the dashboard. */
  screen: string
  /** Where it is in the API. */
  path: string
  params?: Record<string, string>
  /** Parameters of the address that the call takes, too. */
  filters: Filter[]
  /** What it can be sorted by where it is narrowed down like this; `first`: without a word. */
  sorts?: { first: Sort<Name>; names: (filter: Record<string, string | undefined>) => readonly Name[] }
  /** Parameters of every call. */
  always?: Record<string, string>
  /** A new value reloads the list. */
  round?: number
  load: (query: Query<Filter, Name>, signal: AbortSignal) => Promise<Page<Row> & More>
}

export interface List<Row, More = unknown> {
  call: Call
  page: Loaded<Page<Row> & More>
  cursor: string
  /** What is searched for, by parameter. */
  filter: Record<string, string>
  /** Absent where it has one order. */
  sorting: Sorting | undefined
  /** The address of the same list with other parameters, from its beginning, and in the order it has. */
  hrefOf: (given: Record<string, string | undefined>) => string
}

export function useList<Row, Filter extends string, More = unknown, Name extends string = never>(
  wanted: ListOptions<Row, Filter, More, Name>,
): List<Row, More> {
  const { query, route } = useLocation()
  const { to } = usePlace()
  const { screen, path, params, filters, sorts, always, round = 0, load } = wanted
  const filter = Object.fromEntries(
    filters.flatMap((name) => {
      const value = query[name]
      return value ? [[name, value]] : []
    }),
  )
  const { cursor = '' } = query
  const sort = sortIn(wanted, filter, query['sort'])
  const asked = { perPage, ...always, ...filter, ...(sort && { sort }), ...(cursor && { cursor }) } as Query<
    Filter,
    Name
  >
  const call = toCall('GET', path, { params, query: asked })
  const page = useLoaded(`${call.path} ${round}`, (signal) => load(asked, signal))
  const hrefOf = (given: Record<string, string | undefined>) =>
    to(screen) + toSearch({ ...given, sort: sortIn(wanted, given, given['sort'] ?? sort) })
  const sorting = sorts && {
    now: sort ?? sorts.first,
    first: sorts.first,
    names: sorts.names(filter),
    ask: (sort: Sort) => route(hrefOf({ ...filter, sort })),
  }
  return { call, page, cursor, filter, sorting, hrefOf }
}

/** Undefined for the first order, and for one that there is not. */
function sortIn<Row, Filter extends string, More, Name extends string>(
  { sorts }: ListOptions<Row, Filter, More, Name>,
  filter: Record<string, string | undefined>,
  sort: string | undefined,
): string | undefined {
  if (!sorts || !sort || sort === sorts.first) return undefined
  return sorts.names(filter).some((name) => name === nameOf(sort)) ? sort : undefined
}

interface RowsProps<Row, More> {
  of: List<Row, More>
  empty: ComponentChildren
  /** When nothing matches what was searched for. */
  emptyFiltered: string
  children: (page: Page<Row> & More) => ComponentChildren
}

interface Props<Row, More> extends RowsProps<Row, More> {
  title: string
  /** What is searched by, and what else can be done. */
  tools?: ComponentChildren
}

export function ListPage<Row, More>({ title, tools, ...rows }: Props<Row, More>) {
  return (
    <>
      <header class="title">
        <h1>{title}</h1>
        <CopyCurl call={rows.of.call} />
      </header>
      {tools}
      <ListRows {...rows} />
    </>
  )
}

/** The list by itself, for a page that shows more than it. */
export function ListRows<Row, More>({ of, empty, emptyFiltered, children }: RowsProps<Row, More>) {
  const isFiltered = Object.keys(of.filter).length > 0
  const nothing = isFiltered ? <p class="muted">{emptyFiltered}</p> : empty
  return (
    <Show of={of.page}>
      {(page) =>
        // A search may find nothing on one page, and more on the next.
        page.data.length === 0 && page.pagination.nextCursor === null ? (
          nothing
        ) : (
          <>
            {children(page)}
            <Pages
              cursor={of.cursor}
              nextCursor={page.pagination.nextCursor}
              hrefAt={(cursor) => of.hrefOf({ ...of.filter, cursor })}
            />
          </>
        )
      }
    </Show>
  )
}

interface FilterProps<Row> {
  of: List<Row>
  /** The parameter. */
  name: string
  label: string
}

export function SearchBy<Row>({ of, name, label, hint }: FilterProps<Row> & { hint?: string }) {
  const { route } = useLocation()
  const search = (text: string) => route(of.hrefOf({ ...of.filter, [name]: text }))
  return <Search label={label} text={of.filter[name] ?? ''} search={search} {...(hint && { hint })} />
}

/** One of few, or all. */
export function ChooseBy<Row>({
  of,
  name,
  label,
  choices,
}: FilterProps<Row> & { choices: [value: string, says: string][] }) {
  const chosen = of.filter[name] ?? ''
  return (
    <nav class="choices" aria-label={label}>
      {choices.map(([value, says]) => (
        <a
          key={value}
          href={of.hrefOf({ ...of.filter, [name]: value })}
          aria-current={value === chosen ? 'true' : undefined}
        >
          {says}
        </a>
      ))}
    </nav>
  )
}
