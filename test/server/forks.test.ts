import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientError, createClient } from 'echelon/client'
import { hashToken, newToken } from '@echelon/server'
import { decider, serving } from './served.ts'

test('a fork of a user has the models of the agent or those that the server allows', async (t) => {
  const [ada, poor, root] = [newToken(), newToken(), newToken()]
  const { url } = await serving(
    t,
    async (store) => {
      const agent = await decider(store)
      // Its own models are free, so that no run of it gets a limit.
      return [
        {
          ...agent,
          models: ['offline/small'],
          maxCost: 0,
          start(input, context) {
            const { maxCost: _, ...unlimited } = context
            return agent.start(input, unlimited)
          },
        },
      ]
    },
    {
      forkModels: ['offline/big'],
      tokens: [
        { name: 'ada', sha256: hashToken(ada) },
        { name: 'poor', sha256: hashToken(poor), usdPerDay: 1 },
        { name: 'root', sha256: hashToken(root), isOperator: true },
      ],
    },
  )
  const forkedBy = async (token: string, small: string) => {
    const client = createClient({ url, token })
    const { id } = await client.runs.start({ agent: 'decide', input: 'What is 15 * 23?' })
    await client.runs.end(id)
    const fork = await client.runs.fork(id, { at: 0, models: { small } })
    return (await client.runs.end(fork.id)).end?.text
  }
  await assert.rejects(forkedBy(ada, 'offline/other'), {
    status: 403,
    code: 'model_not_allowed',
    message: 'a fork of decide may not use offline/other; use one of offline/small, offline/big',
  })
  assert.equal(await forkedBy(ada, 'offline/small'), '345')
  assert.equal(await forkedBy(ada, 'offline/big'), '345')
  assert.equal(await forkedBy(poor, 'offline/small'), '345')
  // The agent is free, but what another model costs is not known.
  await assert.rejects(forkedBy(poor, 'offline/big'), { status: 403, code: 'cost_not_limited' })
  // The model does not exist, but an operator may ask for it.
  await assert.rejects(forkedBy(root, 'offline/other'), (error) => {
    assert.ok(error instanceof ClientError)
    return error.code !== 'model_not_allowed'
  })
})
