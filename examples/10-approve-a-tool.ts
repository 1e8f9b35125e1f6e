// Tools that a person approves: rules decide first, answers are remembered, and a denial is a result.
import { createAgent, defineTool } from 'echelon/chat'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const file = z.object({ file: z.string() })
const write = defineTool({
  name: 'write_file',
  description: 'writes a file',
  does: 'acts',
  needsApproval: true,
  input: file,
  run: ({ file }) => `wrote ${file}`,
})
const remove = defineTool({
  name: 'remove_file',
  description: 'removes a file',
  does: 'acts',
  input: file,
  run: ({ file }) => `removed ${file}`,
})

// A scripted model stands for a real one: each turn calls one tool, then says how it went.
const turn = (tool: string, file: string): readonly ScriptedAnswer[] => [
  { toolCalls: [{ tool, input: { file } }] },
  ({ prompt }) => JSON.stringify(prompt.at(-1)?.content).replace(/^.*"output":|\}\]$/g, ''),
]
const script = [
  ...turn('write_file', 'a.txt'),
  ...turn('write_file', 'b.txt'),
  ...turn('write_file', 'c.txt'),
  ...turn('remove_file', 'a.txt'),
  ...turn('write_file', 'keys.env'),
]
const agent = createAgent({
  model: asBound(scriptedModel(script)),
  tools: [write, remove],
  permissions: {
    // The first matching rule decides; without one, needsApproval asks.
    rules: [
      { when: ({ input }) => JSON.stringify(input).includes('.env'), verdict: 'deny' },
      { tools: 'remove_*', verdict: 'ask', reason: 'what is removed is gone' },
    ],
  },
})

const session = agent.session()
const answers = ['once', 'always', 'never'].values()
for (const request of ['write a', 'write b', 'write c', 'remove a', 'write the keys']) {
  const run = agent.run(request, { session })
  for await (const event of run) {
    if (event.type !== 'request-open') continue
    const answer = answers.next().value ?? 'never'
    console.log(`${request}? ${answer}`)
    // Without a listener the run waits forever. A reply applies only to this call.
    run.respond(event.request, answer)
  }
  console.log(`${request}: ${(await run.result).text}`)
}
