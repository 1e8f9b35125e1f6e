// A run as an OpenTelemetry trace: an agent, its model calls, its tools and its sub-agent.
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createAgent, defineTool } from 'echelon/chat'
import { openTelemetry } from '@echelon/telemetry'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

// The SDK is the program's own. This one keeps its spans; in production it exports them.
const exporter = new InMemorySpanExporter()
const processor = new SimpleSpanProcessor({ exporter })
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }))

const price = defineTool({
  name: 'price',
  description: 'what one piece costs',
  input: z.object({ item: z.string() }),
  run: ({ item }, { traceparent }) => {
    // Calls from here join the same trace: fetch(url, { headers: { traceparent } })
    console.log('a tool is told', traceparent?.replaceAll(/[0-9a-f]{16,}/g, '…'))
    return item === 'lamp' ? 40 : 15
  },
})

// Scripted models stand for real ones.
const asksPrice = { toolCalls: [{ tool: 'price', input: { item: 'lamp' } }] }
const asksBuyer = { toolCalls: [{ tool: 'ask_buyer', input: { task: 'the price of a lamp' } }] }
const buyer = createAgent({
  name: 'buyer',
  model: asBound(scriptedModel([asksPrice, 'A lamp costs 40 euros.']), 'openai/gpt-5-nano'),
  tools: [price],
})

const planner = createAgent({
  name: 'planner',
  model: asBound(scriptedModel([asksBuyer, 'Two lamps cost 80 euros.']), 'openai/gpt-5'),
  tools: [buyer.asTool({ name: 'ask_buyer', description: 'knows what things cost' })],
  limits: { tokens: 1000 },
  tracing: await openTelemetry(),
})

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const { text } = await planner.run('What do two lamps cost?', { traceparent }).result
console.log(text)

const spans = exporter.getFinishedSpans()
const show = (parent: string, indent = ''): void => {
  for (const span of spans.filter((one) => one.parentSpanContext?.spanId === parent)) {
    console.log(indent + span.name, span.attributes['gen_ai.usage.input_tokens'] ?? '')
    show(span.spanContext().spanId, `${indent}  `)
  }
}
show('b7ad6b7169203331')
console.log(spans.at(-1)?.attributes['echelon.budget.spent.tokens'], 'tokens of the 1000')
