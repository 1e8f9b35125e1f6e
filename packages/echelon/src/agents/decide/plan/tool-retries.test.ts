import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import { defineTool, type Tool, type ToolContext } from '../../../core/tool/tool.ts'
import { SetClock } from '../../../testing/set-clock.ts'
import { withRetries } from './tool-retries.ts'

const tool = (name: string): Tool =>
  defineTool({
    name,
    description: 'Does nothing.',
    input: z.strictObject({}),
    retries: 2,
    run: () => null,
  })

const context: ToolContext = {
  key: 'key',
  signal: AbortSignal.abort(),
  at: new SetClock().now(),
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('nothing is written')) },
  progress: () => undefined,
}

suite('[DD-10] the retries of a tool', () => {
  test('come from the settings, or else from the tool', () => {
    const tools = withRetries([tool('plotter'), tool('calendar')], { plotter: { retries: 0 } })
    assert.deepEqual(
      tools.map(({ name, retries }) => [name, retries]),
      [
        ['plotter', 0],
        ['calendar', 2],
      ],
    )
  })

  test('are refused for a tool that does not exist', () => {
    assert.throws(() => withRetries([tool('plotter')], { ploter: { retries: 1 } }), {
      code: 'INVALID_CONFIG',
      message: 'tools.ploter is not a tool; did you mean plotter?',
    })
    assert.throws(() => withRetries([tool('plotter')], { colour: {} }), {
      message: 'tools.colour is not a tool; the tools are plotter',
    })
  })

  test('can be set for a tool of a class, which keeps its methods', async () => {
    class Counter implements Tool {
      readonly name = 'counter'
      readonly description = 'Counts.'
      readonly input = z.strictObject({})
      readonly jsonSchema = {}
      readonly does = 'acts'
      readonly timeoutMs = 1
      readonly retries = 0
      readonly parallel = false
      readonly needsApproval = false
      readonly delegates = false
      #count = 0
      run(): number {
        return ++this.#count
      }
      reconcile(): Promise<'not-done'> {
        return Promise.resolve('not-done')
      }
    }
    const [changed] = withRetries([new Counter()], { counter: { retries: 1 } })
    assert.equal(changed?.retries, 1)
    assert.deepEqual([await changed?.run({}, context), await changed?.run({}, context)], [1, 2])
    assert.equal(await changed?.reconcile?.('key', {}), 'not-done')
  })
})
