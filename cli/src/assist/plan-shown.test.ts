import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderFor, runCommand } from '../testing/run-command.ts'

test('/plan shows the plan that is kept, also before anything was said, and why it changed', async (t) => {
  const folder = folderFor(t)
  const piped = (input: string) => runCommand(['assist'], folder, { input })
  const fresh = await piped('/plan\n')
  assert.match(fresh.stdout, /^approach +strategic_exploration\n/)
  assert.doesNotMatch(fresh.stdout, /changes/)
  await piped('Should I move?\nHow do I tell him?\n')
  const { stdout } = await piped('/plan\n')
  assert.match(stdout, /^approach +context_before_steps\n/)
  assert.match(stdout, /\nchanges +\S+Z from strategic_exploration: a conversation begins\n/)
  assert.match(stdout, /\n +\S+Z from weigh_the_ways: the situation is another one: asks_how/)
})
