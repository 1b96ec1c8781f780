// HTML that says which node made it: a mark before and after the HTML of each. Marks are of control characters, which neither a template
// nor a value can bring into a mail.

const [begins, named] = ['\x01', '\x02']
export const closes = '\x03'
const marks = /\x01([^\x01\x02]*)\x02|\x03/g

export const opens = (path: string) => `${begins}${path}${named}`

export function marked(html: string, path: string): string {
  return `${opens(path)}${html}${closes}`
}

export function withoutMarks(html: string): string {
  return html.includes(begins) ? html.replace(marks, '') : html
}

/** With a comment in the place of each mark: `<!--content[0]-->` before the HTML of a node, `<!--/content[0]-->` after it. */
export function marksAsComments(html: string): string {
  const open: string[] = []
  return html.replace(marks, (_, path: string | undefined) => {
    if (path === undefined) return `<!--/${open.pop()}-->`
    open.push(path)
    return `<!--${path}-->`
  })
}

const markComment = /^(\/?)(content\b.*)$/

/** Keeps up with the nodes that are open, as these comments say. */
export function followMark(open: string[], comment: string): void {
  const [, end, path] = markComment.exec(comment) ?? []
  if (path === undefined) return
  if (end) open.pop()
  else open.push(path)
}
