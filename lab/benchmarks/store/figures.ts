import type { StoreBarName, StoreMeasured } from './bars.ts'
import { open, resume } from './fresh.ts'
import { growth } from './growth.ts'
import { postgres } from './postgres.ts'
import { step } from './step.ts'

/** Functions that measure figures, each in its own process, by the first of their bars. */
export const STORE_FIGURES: Readonly<
  Partial<Record<StoreBarName, () => Promise<readonly StoreMeasured[]>>>
> = { step, postgres, growth, open, resume }
