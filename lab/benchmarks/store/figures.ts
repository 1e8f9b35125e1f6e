import type { StoreBarName, StoreMeasured } from './bars.ts'
import { open, resume } from './fresh.ts'
import { growth } from './growth.ts'
import { step } from './step.ts'

/** How figures are measured, each in a process of its own: by the first bar that one finds. */
export const STORE_FIGURES: Readonly<
  Partial<Record<StoreBarName, () => Promise<readonly StoreMeasured[]>>>
> = { step, growth, open, resume }
