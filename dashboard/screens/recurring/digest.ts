// What a mail of a feed says until somebody writes a template for it: its items, each with its words.

export const digest = [
  { type: 'heading', text: '{{feed.title}}' },
  {
    type: 'list',
    itemsVariable: 'feed.items',
    items: [{ type: 'text', format: 'markdown', text: '[**{{item.title}}**]({{item.link}})\n{{item.summary}}' }],
  },
  { type: 'footer' },
]
