// The cost of model calls, by model and by caller, with an alert at an amount.
import { createAgent } from 'echelon/chat'
import { costTracking } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'

// A scripted model stands for a real one, whose price the price list knows: here a cent a call.
const answers = ['Rain.', 'Sun.', 'Wind.']
const model = asBound(scriptedModel(answers), 'demo/weather', () => 0.01)

const agent = createAgent({
  model,
  use: [
    costTracking({
      per: 'session', // or 'run', 'day' for all runs of a day, 'shared' for all there are
      alertAt: [0.02, 10], // US dollars; each is told once
      onAlert: ({ money, alertAt }) => console.log(`$${money} spent, told at $${alertAt}`),
    }),
  ],
  limits: { money: 0.05 }, // what is never exceeded: refused before it is spent
})

const session = agent.session()
for (const city of ['Seattle', 'Lisbon', 'Oslo']) {
  const caller = city === 'Oslo' ? 'bob' : 'ada'
  const run = agent.run(`The weather in ${city}?`, { session, caller })
  const { text, state } = await run.result
  const { total, callers } = state.middleware.costTracking
  console.log(`${city}: ${text} so far $${total.money}, ada $${callers['ada']?.money}`)
}
