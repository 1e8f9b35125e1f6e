// Custom middleware: a quota per conversation, which survives the process and a change of its shape.
import { migration } from 'echelon'
import { createAgent, defineMiddleware } from 'echelon/chat'
import { middlewareContract, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

/** Answers per day. A change of shape needs a new version and a migration. */
const quota = (most: number) =>
  defineMiddleware({
    name: 'quota',
    namespace: 'acme',
    state: {
      scope: 'session',
      version: 2,
      schema: z.object({ day: z.number(), answers: z.number() }),
      initial: { day: 0, answers: 0 },
      // Version 1 counted without a day: what it counted was long ago.
      migrate: { 1: migration(z.object({ count: z.number() }), () => ({ day: 0, answers: 0 })) },
    },
    async generate(call, next, context) {
      const day = Math.floor(context.run.clock.now() / 86_400_000)
      if (context.state.day !== day) context.update(() => ({ day, answers: 0 }))
      if (context.state.answers >= most) {
        context.emit('used-up', { most })
        const message = `${most} answers a day are all there are; come back tomorrow`
        return { type: 'refused', by: 'policy', limit: 'quota', message }
      }
      const outcome = await next(call)
      // A failed call is not an answer.
      if (outcome.type === 'generated')
        context.update((was) => ({ ...was, answers: was.answers + 1 }))
      return outcome
    },
  })

const model = scriptedModel(['One.', 'Two.'])
const agent = createAgent({ model, use: [quota(2)()] })
const before = agent.session('ada')
await agent.run('First?', { session: before }).result
const stored = JSON.stringify(before.checkpoint())

// The next process continues the count.
const session = agent.restoreSession(JSON.parse(stored))
for (const question of ['Second?', 'Third?']) {
  const run = agent.run(question, { session })
  for await (const event of run) {
    if (event.type === 'middleware') console.log(event.middleware, event.event, event.data)
  }
  const { reason, detail, text, state } = await run.result
  console.log(reason, detail ?? text, state.middleware.quota.answers)
}

for (const { name, holds } of middlewareContract(() => quota(2)())) {
  await holds()
  console.log('✓', name)
}
