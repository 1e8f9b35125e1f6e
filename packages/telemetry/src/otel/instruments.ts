import { memoryUsage, resourceUsage } from 'node:process'
import type { Counter, Histogram, Meter } from '@opentelemetry/api'
import { type CounterName, FIGURES, type Figure, type HistogramName } from './names.ts'

/** The metrics of runs. */
export type Instruments = Readonly<Record<HistogramName, Histogram> & Record<CounterName, Counter>>

/** One set per meter: a second one would count the process twice. */
const cached = new WeakMap<Meter, Instruments>()

export function instrumentsOf(meter: Meter): Instruments {
  const known = cached.get(meter)
  if (known !== undefined) return known
  const instruments = makeInstruments(meter)
  cached.set(meter, instruments)
  watchProcess(meter)
  return instruments
}

function makeInstruments(meter: Meter): Instruments {
  const histogram = ({ name, unit, description, buckets = [] }: Figure): Histogram =>
    meter.createHistogram(name, {
      unit,
      description,
      advice: { explicitBucketBoundaries: [...buckets] },
    })
  const counter = ({ name, unit, description }: Figure): Counter =>
    meter.createCounter(name, { unit, description })
  return {
    callSeconds: histogram(FIGURES.callSeconds),
    firstChunkSeconds: histogram(FIGURES.firstChunkSeconds),
    tokens: histogram(FIGURES.tokens),
    runSeconds: histogram(FIGURES.runSeconds),
    runModelCalls: histogram(FIGURES.runModelCalls),
    runToolCalls: histogram(FIGURES.runToolCalls),
    runSteps: histogram(FIGURES.runSteps),
    toolSeconds: histogram(FIGURES.toolSeconds),
    waitSeconds: histogram(FIGURES.waitSeconds),
    runs: counter(FIGURES.runs),
    cost: counter(FIGURES.cost),
    unpriced: counter(FIGURES.unpriced),
    retries: counter(FIGURES.retries),
    refusals: counter(FIGURES.refusals),
    verdicts: counter(FIGURES.verdicts),
    decisions: counter(FIGURES.decisions),
    escalations: counter(FIGURES.escalations),
    middleware: counter(FIGURES.middleware),
  }
}

/** Memory and CPU of the process, read only when metrics are collected. */
function watchProcess(meter: Meter): void {
  const { cpuSeconds, memory, peakMemory } = FIGURES
  meter.createObservableCounter(cpuSeconds.name, cpuSeconds).addCallback((result) => {
    const { userCPUTime, systemCPUTime } = resourceUsage()
    result.observe(userCPUTime / 1e6, { 'cpu.mode': 'user' })
    result.observe(systemCPUTime / 1e6, { 'cpu.mode': 'system' })
  })
  meter.createObservableUpDownCounter(memory.name, memory).addCallback((result) => {
    result.observe(memoryUsage.rss())
  })
  meter.createObservableGauge(peakMemory.name, peakMemory).addCallback((result) => {
    // The system reports kilobytes.
    result.observe(resourceUsage().maxRSS * 1024)
  })
}
