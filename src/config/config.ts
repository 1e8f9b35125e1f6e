import type { DecideSettings, PartialSettings } from '../agents/decide/settings.ts'
import type { Json } from '../core/json.ts'
import type { ModelTimeouts } from '../core/model-timeouts.ts'
import type { ProviderSettings } from '../core/model.ts'
import type { Gates } from '../evals/gate-settings.ts'
import type { Origin } from './layer.ts'
import type { TimeoutSettings } from './model-timeouts.ts'
import type { ProviderInput } from './providers.ts'
import type { RecordSettings } from './records.ts'
import type { RunSettings } from './run.ts'

/** A configuration: checked, complete, and frozen in every part. */
export interface Config {
  /** What the decision agent goes by. */
  readonly settings: DecideSettings
  /** What holds for a run that does not say otherwise. */
  readonly run: RunSettings
  /** What an evaluation must reach. */
  readonly gates: Gates
  /** Which records of use are kept. */
  readonly records: RecordSettings
  /** How long models of chat agents may be silent: for `modelTimeouts` of `createAgent`. */
  readonly modelTimeouts: ModelTimeouts
  /** Servers and keys by the provider's key. Holds secrets: not for showing. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** Providers whose address a file gave that nobody named: a key from elsewhere is not for it. */
  readonly foundAddresses: readonly string[]
  /** Every value and where it comes from, for showing: secrets are masked. */
  readonly values: readonly ConfigValue[]
  /** Sentences about what works and is probably not meant. */
  readonly warnings: readonly string[]
  /** The files that were there and were read. */
  readonly files: readonly string[]
}

/** One value, as it may be shown. */
export interface ConfigValue {
  /** Such as `budget.max_seconds`. */
  readonly path: string
  readonly value: Json
  readonly origin: Origin
}

/** Values as a file holds them; all may be left out. */
export type ConfigInput = Omit<PartialSettings, 'telemetry'> & {
  readonly telemetry?: Partial<DecideSettings['telemetry'] & RecordSettings>
  readonly run?: Partial<RunSettings>
  readonly model_timeouts?: Partial<TimeoutSettings>
  readonly ci_gates?: Partial<Gates>
  readonly providers?: Readonly<Record<string, ProviderInput>>
}
