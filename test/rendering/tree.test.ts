import { describe, expect, test } from 'bun:test'
import { maxNodes } from '../../src/features/content/rendering/nodes.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { AppError, type Issue } from '../../src/kit/error.ts'
import { hostileUrls } from '../lib/hostile-urls.ts'
import { loopMs } from '../support/loop-monitor.ts'

function refused(input: unknown): Issue[] {
  try {
    parseTree(input)
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return error.details.errors ?? []
    throw error
  }
  throw new Error('the tree was accepted')
}

/** The faults as `path code`, in order. */
const faults = (input: unknown) => refused(input).map((issue) => `${issue.path} ${issue.code}`)
const warnings = (input: unknown) => parseTree(input).warnings.map((warning) => `${warning.path} ${warning.code}`)
const link = { text: 'Go', href: 'https://a.example' }

describe('what a tree may be written as', () => {
  const plain = [{ type: 'button', text: 'Go', href: 'https://a.example', backgroundColor: '#123456', paddingX: 20 }]

  test.each([
    ['flat', plain],
    [
      'props',
      [{ type: 'button', props: { text: 'Go', href: 'https://a.example', backgroundColor: '#123456', paddingX: 20 } }],
    ],
    [
      'attributes in kebab case with units',
      [
        {
          type: 'button',
          attributes: { text: 'Go', href: 'https://a.example', 'background-color': '#123456', 'padding-x': '20px' },
        },
      ],
    ],
    ['aliases', [{ type: 'button', label: 'Go', url: 'https://a.example', bgColor: '#123456', paddingX: 20 }]],
    [
      'content for text',
      [{ type: 'button', content: 'Go', url: 'https://a.example', bgColor: '#123456', paddingX: '20' }],
    ],
  ])('%s', (_, input) => {
    expect(parseTree(input)).toEqual({ content: plain, warnings: [] } as ReturnType<typeof parseTree>)
  })

  test('the url of an image is its picture', () => {
    expect(parseTree([{ type: 'image', url: 'https://a.example/x.png', alt: 'x' }]).content).toEqual([
      { type: 'image', src: 'https://a.example/x.png', alt: 'x' },
    ])
  })

  test('children may stand in props', () => {
    const { content } = parseTree([{ type: 'container', props: { children: [{ type: 'text', text: 'a' }] } }])
    expect(content).toEqual([{ type: 'container', children: [{ type: 'text', text: 'a' }] }])
  })

  test('columns may be the columns themselves', () => {
    const { content } = parseTree([
      { type: 'section', columns: [[{ type: 'text', text: 'a' }], { type: 'container', children: [] }] },
    ])
    expect(content).toEqual([
      {
        type: 'section',
        columns: 2,
        children: [
          { type: 'container', children: [{ type: 'text', text: 'a' }] },
          { type: 'container', children: [] },
        ],
      },
    ])
  })

  test('a padding shorthand becomes four sides', () => {
    expect(parseTree([{ type: 'section', attributes: { padding: '10px 20px' } }]).content).toEqual([
      { type: 'section', paddingTop: 10, paddingRight: 20, paddingBottom: 10, paddingLeft: 20 },
    ])
  })

  test('what was sent in canonical form comes back unchanged', () => {
    const tree = [
      {
        type: 'heading',
        id: 'h',
        text: 'Hi {{name|you}}',
        level: 2,
        color: '#ABC',
        align: 'center',
        fontSize: 30,
        lineHeight: 120,
      },
    ]
    expect(parseTree(tree).content).toEqual(tree as ReturnType<typeof parseTree>['content'])
  })
})

describe('refusals name the exact place', () => {
  const item = { type: 'list', items: ['ok'] }
  test.each<[string, unknown, string[]]>([
    ['no list', { type: 'text' }, ['content invalid_type']],
    ['an empty tree', [], ['content empty_content']],
    [
      'no node',
      [null, 'text', 3, []],
      ['content[0] invalid_type', 'content[1] invalid_type', 'content[2] invalid_type', 'content[3] invalid_type'],
    ],
    ['no type', [{}], ['content[0].type missing_required_property']],
    ['unknown type', [{ type: 'raw', html: '<b>' }], ['content[0].type unknown_node_type']],
    [
      'prototype as type',
      [{ type: '__proto__' }, { type: 'constructor' }],
      ['content[0].type unknown_node_type', 'content[1].type unknown_node_type'],
    ],
    ['missing text', [{ type: 'heading' }], ['content[0].text missing_required_property']],
    [
      'missing text and href',
      [{ type: 'button' }],
      ['content[0].text missing_required_property', 'content[0].href missing_required_property'],
    ],
    ['null text', [{ type: 'text', text: null }], ['content[0].text invalid_value']],
    ['number as text', [{ type: 'text', text: 5 }], ['content[0].text invalid_value']],
    ['a level of four', [{ type: 'heading', text: 'a', level: 4 }], ['content[0].level invalid_value']],
    ['named colour', [{ type: 'text', text: 'a', color: 'red' }], ['content[0].color invalid_value']],
    [
      'colour with CSS',
      [{ type: 'text', text: 'a', color: '#fff;background:url(x)' }],
      ['content[0].color invalid_value'],
    ],
    ['size too big', [{ type: 'text', text: 'a', fontSize: 65 }], ['content[0].fontSize invalid_value']],
    ['size as expression', [{ type: 'text', text: 'a', fontSize: '12px;x' }], ['content[0].fontSize invalid_value']],
    ['align', [{ type: 'text', text: 'a', align: 'justify' }], ['content[0].align invalid_value']],
    ['five columns', [{ type: 'section', columns: 5 }], ['content[0].columns invalid_value']],
    [
      'path inside props',
      [{ type: 'button', props: { text: 'a', url: 'javascript:x' } }],
      ['content[0].props.url invalid_url'],
    ],
    [
      'path inside a list',
      [item, item, { type: 'list', items: [{ type: 'link', text: 'a', href: 'data:x' }] }],
      ['content[2].items[0].href invalid_url'],
    ],
    [
      'a button in a list',
      [{ type: 'list', items: [{ type: 'button', ...link }] }],
      ['content[0].items[0] invalid_child'],
    ],
    ['items missing', [{ type: 'list' }], ['content[0].items missing_required_property']],
    ['items no list', [{ type: 'list', items: 'a' }], ['content[0].items invalid_value']],
    [
      'a section in a section',
      [{ type: 'section', children: [{ type: 'container', children: [{ type: 'section' }] }] }],
      ['content[0].children[0].children[0] invalid_child'],
    ],
    [
      'a footer in a header',
      [{ type: 'header', children: [{ type: 'footer' }] }],
      ['content[0].children[0] invalid_child'],
    ],
    [
      'children of a leaf',
      [{ type: 'text', text: 'a', children: [{ type: 'text', text: 'b' }] }],
      ['content[0].children invalid_child'],
    ],
    [
      'style',
      [{ type: 'text', text: 'a', style: { background: 'url(https://x)' } }],
      ['content[0].style forbidden_property'],
    ],
    ['html', [{ type: 'text', text: 'a', html: '<b>' }], ['content[0].html forbidden_property']],
    ['NUL in text', [{ type: 'text', text: 'a\0b' }], ['content[0].text control_character']],
    ['CR in text', [{ type: 'text', text: 'a\rb' }], ['content[0].text control_character']],
    ['NUL in an entry', [{ type: 'list', items: ['a\0'] }], ['content[0].items[0] control_character']],
    ['half a surrogate', [{ type: 'text', text: 'a\ud800' }], ['content[0].text invalid_text']],
    [
      'markdown link',
      [{ type: 'text', format: 'markdown', text: 'a [b](javascript:x) c' }],
      ['content[0].text invalid_url'],
    ],
    ['image over mailto', [{ type: 'image', src: 'mailto:a@b.example', alt: '' }], ['content[0].src invalid_url']],
    [
      'auto-resolved list',
      [{ type: 'list', items: [], itemsVariable: 'contact.orders' }],
      ['content[0].itemsVariable invalid_variable'],
    ],
    [
      'two faults apart',
      [{ type: 'text' }, { type: 'nope' }],
      ['content[0].text missing_required_property', 'content[1].type unknown_node_type'],
    ],
  ])('%s', (_, input, expected) => expect(faults(input)).toEqual(expected))

  test.each(hostileUrls.filter((url) => !url.startsWith(' ')))('the address %p', (href) => {
    const codes = refused([{ type: 'button', text: 'a', href }]).map((issue) => issue.code)
    expect(['invalid_url', 'control_character']).toContain(codes[0] ?? '')
  })

  test('an address built around a placeholder is checked by what surrounds it', () => {
    expect(faults([{ type: 'link', text: 'a', href: 'java{{x}}script:alert(1)' }])).toEqual([
      'content[0].href invalid_url',
    ])
    expect(
      warnings([
        { type: 'link', text: 'a', href: 'https://a.example/{{x}}' },
        { type: 'link', text: 'a', href: '{{x}}/a' },
      ]),
    ).toEqual([])
  })

  test('at most a hundred faults are listed', () => {
    expect(refused(Array.from({ length: 300 }, () => ({ type: 'nope' })))).toHaveLength(100)
  })
})

describe('a hostile size is refused at once', () => {
  test('an address of more than 8,000 characters, naming the field and the limit', () => {
    const longest = `https://a.example/${'a'.repeat(8_000 - 'https://a.example/'.length)}`
    expect(warnings([{ type: 'button', text: 'Go', href: longest }])).toEqual([])
    for (const [node, path] of [
      [{ type: 'button', text: 'Go', href: `${longest}a` }, 'content[0].href'],
      [{ type: 'image', src: `${longest}a`, alt: 'A' }, 'content[0].src'],
      [{ type: 'button', text: 'Go', href: `mailto:${'{{a}}'.repeat(2_000)}` }, 'content[0].href'],
    ] as const) {
      const [issue] = refused([node])
      expect([issue?.path, issue?.code]).toEqual([path, 'invalid_value'])
      expect(issue?.message).toContain('at most 8,000 characters')
    }
  })

  const nested = (depth: number) => {
    let tree: unknown = { type: 'text', text: 'deep' }
    for (let level = 1; level < depth; level++) tree = { type: 'container', children: [tree] }
    return [tree]
  }
  const cyclic: { type: string; children: unknown[] } = { type: 'container', children: [] }
  cyclic.children.push(cyclic)
  const text = { type: 'text', text: 'a' }

  test.each<[string, unknown, string]>([
    [
      'nine nodes deep',
      nested(9),
      'content[0].children[0].children[0].children[0].children[0].children[0].children[0].children[0].children[0] too_deep',
    ],
    ['10,000 nodes deep', nested(10_000), 'content too_deep'],
    ['100,000 nodes', Array.from({ length: 100_000 }, () => text), 'content too_large'],
    ['501 nodes', Array.from({ length: maxNodes + 1 }, () => text), 'content too_many_nodes'],
    ['101 KB', [{ type: 'text', text: 'a'.repeat(101 * 1024) }], 'content too_large'],
    ['40 K of three-byte characters', [{ type: 'text', text: '€'.repeat(40_000) }], 'content too_large'],
    ['a cycle', [cyclic], 'content too_deep'],
    ['arrays all the way down', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`), 'content too_deep'],
  ])('%s', (_, input, expected) => {
    expect(faults(input)).toEqual([expected])
  })

  test('a hundred thousand nodes cost less than five hundred', () => {
    const cost = (count: number) => {
      const tree = Array.from({ length: count }, () => text)
      const runs = Array.from({ length: 5 }, () => {
        const start = loopMs()
        expect(faults(tree)).toHaveLength(1)
        return loopMs() - start
      })
      return Math.min(...runs)
    }
    expect(cost(100_000)).toBeLessThan(cost(maxNodes + 1))
  })

  test('eight deep and five hundred wide are accepted', () => {
    expect(parseTree(nested(8)).warnings).toEqual([])
    expect(parseTree(Array.from({ length: maxNodes }, () => text)).content).toHaveLength(maxNodes)
  })

  test.each([['*a _b [c **d ', 7_000] as const, ['{{x}}', 15_000] as const])(
    'markdown of nothing but %s costs no square',
    (part, most) => {
      const cost = (count: number) => {
        const runs = Array.from({ length: 5 }, () => {
          const start = loopMs()
          parseTree([{ type: 'text', format: 'markdown', text: `[${part.repeat(count)}` }])
          return loopMs() - start
        })
        return Math.min(...runs)
      }
      // Eight times the text: linear is 8, a square is 64.
      expect(cost(most) / cost(most / 8)).toBeLessThan(32)
    },
  )
})

describe('warnings', () => {
  test.each<[string, unknown, string[]]>([
    ['unknown property', [{ type: 'text', text: 'a', onclick: 'x()' }], ['content[0].onclick unknown_property']],
    [
      'own __proto__ key',
      JSON.parse('[{"type":"text","text":"a","__proto__":{"x":1}}]'),
      ['content[0].__proto__ unknown_property'],
    ],
    ['image without alt', [{ type: 'image', src: 'https://a.example/x.png' }], ['content[0].alt missing_alt']],
    ['empty alt', [{ type: 'image', src: 'https://a.example/x.png', alt: '' }], ['content[0].alt missing_alt']],
    ['empty href', [{ type: 'button', text: 'a', href: '' }], ['content[0].href missing_href']],
    [
      'href without a scheme',
      [{ type: 'button', text: 'a', href: 'shop.example/x' }],
      ['content[0].href invalid_href'],
    ],
    [
      'no variable name',
      [{ type: 'text', text: "{{constructor.constructor('x')()}}" }],
      ['content[0].text invalid_placeholder'],
    ],
    [
      'a prototype as variable',
      [{ type: 'text', text: '{{__proto__.x}} {{contact.__proto__}}' }],
      ['content[0].text invalid_placeholder', 'content[0].text invalid_placeholder'],
    ],
    ['empty text', [{ type: 'text', text: ' ' }], ['content[0].text missing_text']],
    ['null means not set', [{ type: 'text', text: 'a', color: null, children: null }], []],
  ])('%s', (_, input, expected) => expect(warnings(input)).toEqual(expected))

  test('a dropped property is not in the tree and pollutes nothing', () => {
    const { content } = parseTree(
      JSON.parse('[{"type":"text","text":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]'),
    )
    expect(content).toEqual([{ type: 'text', text: 'a' }])
    expect(Object.getOwnPropertyNames(content[0])).toEqual(['type', 'text'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
