import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

// A real server, made with the SDK, for behavior that the reference servers lack.
const server = new McpServer({ name: 'odd', version: '1' })
const text = (text: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text }],
})

server.registerTool('meta', { annotations: { readOnlyHint: true } }, (extra) =>
  text(JSON.stringify(extra._meta ?? null)),
)
server.registerTool(
  'ask twice',
  { inputSchema: { age: z.number().optional() }, annotations: { readOnlyHint: true } },
  async () => {
    const ask = (message: string): ReturnType<typeof server.server.elicitInput> =>
      server.server.elicitInput({
        message,
        requestedSchema: {
          type: 'object',
          properties: { age: { type: 'integer', minimum: 0 } },
          required: ['age'],
        },
      })
    const first = await ask('How old are you?')
    const second = await ask('And your dog?')
    return text(JSON.stringify([first, second]))
  },
)
server.registerTool('grow', { annotations: { readOnlyHint: true } }, () => {
  server.registerTool('grown', { description: 'new' }, () => text('I am new'))
  return text('grown')
})
server.registerTool('fail', { annotations: { readOnlyHint: true } }, () => ({
  ...text('no such planet'),
  isError: true,
}))
server.registerTool(
  'long',
  { inputSchema: { characters: z.number() }, annotations: { readOnlyHint: true } },
  ({ characters }) => text('x'.repeat(characters)),
)
let late: Promise<string> | undefined
server.registerTool('ask late', { annotations: { readOnlyHint: true } }, async ({ signal }) => {
  const ask = (): Promise<{ readonly action: string }> =>
    server.server.elicitInput({
      message: 'Your password?',
      requestedSchema: { type: 'object', properties: {} },
    })
  const over = new Promise((resolve) => signal.addEventListener('abort', resolve))
  await Promise.allSettled([ask(), over])
  const { promise, resolve } = Promise.withResolvers<string>()
  late = promise
  askAgain = () => void ask().then(({ action }) => resolve(action), resolve)
  return text('never heard')
})
let askAgain = (): void => undefined
server.registerTool('late_reply', { annotations: { readOnlyHint: true } }, async () => {
  // A client may attribute the question to this call.
  askAgain()
  return text((await late) ?? 'no question was asked before')
})
server.registerTool('act_and_tell', { description: 'acts' }, async (extra) => {
  const progressToken = extra._meta?.progressToken ?? ''
  await extra.sendNotification({
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  })
  return new Promise(() => undefined)
})
let canceled = 0
server.registerTool('hang', { description: 'until it is given up' }, async ({ signal }) => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  canceled++
  return text('never heard')
})
server.registerTool('canceled', { annotations: { readOnlyHint: true } }, () =>
  text(String(canceled)),
)
server.registerTool('environment', { annotations: { readOnlyHint: true } }, () =>
  text(Object.keys(process.env).toSorted().join(' ')),
)
await server.connect(new StdioServerTransport())
