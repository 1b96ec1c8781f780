// HTML that makes a careless reader take more than linear time: repeats of everything that opens, closes, begins or never ends something.

const pieces = [
  ...[
    '<style></style>',
    '<style>',
    '<script></scrip',
    '<title>',
    '<textarea>',
    '<plaintext>',
    '<x-',
    '<!--',
    '<!',
    '<?',
    '</',
    '<',
  ],
  ...[
    '<a href=',
    '<a href="',
    '<a ',
    '<img ',
    '<div style="',
    '<![CDATA[',
    '&',
    '&#',
    '&am',
    '\0',
    '\r',
    '<br>',
    '</p>',
    '</y>',
  ],
  ...['<p><table>', '<tr><td>', '<li>', '<option>', '<select><input>', '<button>', '<nobr>', '<a><p>', '<svg></svg>'],
  ...['<html a=b>', '<body a=b>', '<template></template>', '<!--[if mso]>', '<!--[if mso]><![endif]-->'],
]

/** Each with how it is made in a length. */
export const hostileHtml: [name: string, make: (chars: number) => string][] = [
  ...pieces.map((piece): [string, (chars: number) => string] => [
    piece,
    (chars) => piece.repeat(Math.floor(chars / piece.length)),
  ]),
  ['attributes', (chars) => `<a ${Array.from({ length: Math.floor(chars / 7) }, (_, n) => `a${n}`).join(' ')}>`],
  ['<x>…</y>', (chars) => '<x>'.repeat(500) + '</y>'.repeat(Math.floor(chars / 4))],
  ['<b>…<p></b>', (chars) => '<b>'.repeat(400) + '<p></b>'.repeat(Math.floor(chars / 7))],
]
