import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'

/*
 * A program that calls a model server once and prints the result: `node endless-client.ts PROVIDER URL
 * stream|whole`. A separate process, since its memory is measured.
 */
const [, , provider = '', baseUrl = '', way = ''] = process.argv
const agent = createAgent({
  model: { provider, model: 'gpt-5-nano', apiKey: 'made-up', baseUrl },
  errorHandling: { retries: 1, baseMs: 1 },
  modelTimeouts: { answerMs: 20_000, pauseMs: 20_000 },
  ...(way === 'whole' && { timeoutMs: 20_000 }),
})
let end: Readonly<Record<string, unknown>>
try {
  const run = agent.run('hello')
  if (way === 'stream') for await (const _ of run);
  const { text, reason } = await run.result
  end = { text: text.length, reason }
} catch (error) {
  const code = error instanceof EchelonError ? error.code : 'none'
  end = { code, message: error instanceof Error ? error.message : String(error) }
}
// Of the processor, which other processes do not add to.
const { user, system } = process.cpuUsage()
const ms = Math.round((user + system) / 1000)
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(JSON.stringify({ ...end, ms, peakMb }))
