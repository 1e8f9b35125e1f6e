import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'

/*
 * A program that asks a model server once and says how that ended: `node endless-client.ts PROVIDER URL
 * stream|whole`. A process of its own, since its memory is measured.
 */
const [, , provider = '', baseUrl = '', way = ''] = process.argv
const begun = performance.now()
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
const ms = Math.round(performance.now() - begun)
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(JSON.stringify({ ...end, ms, peakMb }))
