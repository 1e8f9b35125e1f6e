// A custom filter: adds context to the prompt, and hides parts of the conversation.
import { createAgent, defineMiddleware } from 'echelon/chat'
import { middlewareContract, promptText, scriptedModel } from 'echelon/testing'

/** The caller's profile, fetched when needed, sent with each call, never stored. */
const profile = defineMiddleware({
  name: 'profile',
  async prompt(prompt, next, { run }) {
    const known = await lookUp(run.caller)
    if (known === undefined) return next(prompt)
    return next({ ...prompt, head: [...prompt.head, { role: 'system', content: known }] })
  },
})

/** Shortens only what is sent; the stored conversation is unchanged. */
const recent = (most: number) =>
  defineMiddleware({
    name: 'recent',
    prompt(prompt, next) {
      const { head, thread } = prompt
      if (thread.length <= most) return next(prompt)
      const tail = [...thread.toArray().slice(-most), ...prompt.tail]
      return next({ head, thread: thread.upTo(0), tail })
    },
  })

const lookUp = async (caller: string | undefined): Promise<string | undefined> =>
  caller === 'ada' ? 'The user is Ada, who lives in Oslo and is vegetarian.' : undefined

const model = scriptedModel(['Rice.', 'Pancakes.', 'Soup.'])
const agent = createAgent({ model, use: [profile(), recent(2)()] })
const session = agent.session()
for (const [day, caller] of [
  ['Monday', 'ada'],
  ['Tuesday', 'ada'],
  ['Wednesday', 'bob'],
] as const) {
  await agent.run(`What do I cook on ${day}?`, { session, caller }).result
}
for (const call of model.calls) console.log(`${promptText(call)}\n`)
console.log(session.length, 'messages are kept')

for (const middleware of [profile, recent(2)]) {
  for (const { holds } of middlewareContract(() => middleware())) await holds()
}
