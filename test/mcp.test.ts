import { describe, expect, test } from 'bun:test'
import { testApp } from './support/app.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { generations, mcpClient } from './support/mcp.ts'

describe.each([...generations])('a client of %s', (generation) => {
  test('lists and calls every tool of both addresses', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const received = await mailbox.receive(rawMail())

    await using workspace = await mcpClient(generation, `${t.url}/mcp`, t.apiKey)
    const { tools } = await workspace.listTools()
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'list_mailboxes',
      'create_template',
      'update_template',
      'delete_template',
    ])
    console.error(JSON.stringify(await workspace.callTool({ name: 'list_mailboxes', arguments: {} })).slice(0, 500))
    const made = await workspace.callTool({
      name: 'create_template',
      arguments: { name: 'Hi', subject: 'Hi {{name}}', content: [{ type: 'text', text: 'Hello {{name}}' }] },
    })
    console.error(JSON.stringify(made).slice(0, 500))

    await using inbox = await mcpClient(generation, `${t.url}/mailbox/mcp`, mailbox.token)
    const read = await inbox.callTool({ name: 'read_inbox', arguments: { messageId: received } })
    console.error(read.content[0].text)
    const replied = await inbox.callTool({
      name: 'reply_to_email',
      arguments: { messageId: received, text: 'With steam {{x}}' },
    })
    console.error(JSON.stringify(replied).slice(0, 500))
    await t.settle()
    console.error((await t.sent()).at(-1)?.raw.slice(0, 1500))
  })
})
