// The order of the documentation: one line for each page, by the name of its file. A page of docs/ that no chapter names stands in the
// last one, so that none is lost.

export interface Chapter {
  name: string
  /** A file of docs/ without its ending; or the path of another file of the checkout. */
  pages: string[]
}

export const chapters: Chapter[] = [
  {
    name: 'Start',
    pages: ['quick-start', 'concepts', 'api', 'recipes', 'clients', 'testing', 'moving-in', 'importing'],
  },
  { name: 'Mail out', pages: ['templates', 'smtp', 'events', 'payments', 'deliverability'] },
  { name: 'People you write to', pages: ['contacts', 'subscriptions', 'campaigns'] },
  { name: 'Mail in, and agents', pages: ['mailboxes', 'mcp', 'approvals'] },
  { name: 'Being told', pages: ['webhooks', 'attention'] },
  { name: 'People and safety', pages: ['people', 'access', 'audit', 'security'] },
  {
    name: 'Running it',
    pages: [
      'operating',
      'configuration',
      'proxy',
      'troubleshooting',
      'sizing',
      'scaling',
      'performance',
      'million',
      'reliability',
    ],
  },
  { name: 'To look up', pages: ['errors', 'glossary', 'comparison'] },
  {
    name: 'How it is made',
    pages: ['../ARCHITECTURE.md', '../CONTRIBUTING.md', 'languages', 'decisions', '../CHANGELOG.md'],
  },
]

/** What no chapter names. */
export const lastChapter = 'More'
