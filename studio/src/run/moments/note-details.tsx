import type { MomentOf } from '../story/moment.ts'
import { Values } from './values.tsx'

/** The data of a note, folded. */
export const NoteDetails = ({ moment }: { readonly moment: MomentOf<'note'> }) =>
  Object.keys(moment.data).length === 0 ? null : <Values value={moment.data} open={0} />
