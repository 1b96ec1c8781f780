import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Inline, parseInline } from '../../src/features/content/rendering/inline.ts'

function show(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.kind === 'text') return inline.text
      if (inline.kind === 'break') return '<br>'
      if (inline.kind === 'link') return `<a ${inline.href}>${show(inline.children)}</a>`
      return `<${inline.kind}>${show(inline.children)}</${inline.kind}>`
    })
    .join('')
}

describe('the markdown of a text node', () => {
  test.each([
    ['a **b** c', 'a <strong>b</strong> c'],
    ['a __b__ c', 'a <strong>b</strong> c'],
    ['a *b* _c_', 'a <em>b</em> <em>c</em>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['[a](https://x.example)', '<a https://x.example>a</a>'],
    ['[**a** {{b}}]({{ url }}/c?d={{e}})', '<a {{ url }}/c?d={{e}}><strong>a</strong> {{b}}</a>'],
    ['a\nb', 'a<br>b'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name and {{first_name}} _x_', 'snake_case_name and {{first_name}} <em>x</em>'],
    ['**{{a_b}}**', '<strong>{{a_b}}</strong>'],
    ['\\*a\\* \\[b\\](c)', '*a* [b](c)'],
    ['**open', '**open'],
    ['****', '****'],
    ['# h\n> q\n- l\n`c` <b>x</b> ![i](j)', '# h<br>> q<br>- l<br>`c` <b>x</b> !<a j>i</a>'],
    ['[a](b c)', '[a](b c)'],
    ['**a *b** c*', '<strong>a *b</strong> c*'],
  ])('%p', (text, expected) => expect(show(parseInline(text))).toBe(expected))

  test('no text is lost or invented, whatever the delimiters', () => {
    const piece = fc.constantFrom('*', '**', '_', '__', 'a', ' ', '\n', 'é')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const words = (text: string) => text.replace(/[*_\n]|<br>/g, '')
        const shown = show(parseInline(pieces.join(''))).replace(/<\/?(?:strong|em)>/g, '')
        expect(words(shown)).toBe(words(pieces.join('')))
      }),
    )
  })
})
