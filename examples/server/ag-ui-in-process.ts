// AG-UI without a server: the events of an agent in this process, for a program that has its own transport.
import { EventType } from '@ag-ui/core'
import { asAgUi, serveDecider } from '@echelon/server/ag-ui'
import { createDecider } from 'echelon'

const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
const agent = asAgUi(serveDecider(decider))
const input = {
  threadId: 'thread-1',
  runId: 'run-1',
  protocolVersion: '1.0',
  messages: [{ id: 'message-1', role: 'user', content: 'What is 15 * 23?' }],
  tools: [],
  context: [],
}
for await (const event of agent.run(input)) {
  if (event.type === EventType.TEXT_MESSAGE_CONTENT) console.log(event.delta)
  if (event.type === EventType.RUN_FINISHED) console.log(event.outcome, event.result)
}
