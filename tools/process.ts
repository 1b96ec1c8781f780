// What a child process says, line by line, and waiting for a line instead of for time.

/** The lines of a stream as they come. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** The first line that matches; the rest of the stream goes on being read, so that its writer never blocks. */
export async function until(lines: AsyncGenerator<string>, pattern: RegExp): Promise<RegExpExecArray> {
  const seen: string[] = []
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the process ended before ${pattern}:\n${seen.join('\n')}`)
    seen.push(value)
    const match = pattern.exec(value)
    if (!match) continue
    void drain(lines)
    return match
  }
}

async function drain(lines: AsyncGenerator<string>): Promise<void> {
  for await (const _ of lines) {
    // read and forget
  }
}
