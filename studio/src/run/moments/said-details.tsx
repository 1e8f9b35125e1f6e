import type { MomentOf } from '../story/moment.ts'
import { Prose } from './prose.tsx'

export const SaidDetails = ({ moment }: { readonly moment: MomentOf<'said'> }) => (
  <Prose>{moment.text}</Prose>
)
