import { JsonView } from '../../pieces/json-view.tsx'
import type { MomentOf } from '../story/moment.ts'

/** What belongs to a note, to be opened. */
export const NoteDetails = ({ moment }: { readonly moment: MomentOf<'note'> }) =>
  Object.keys(moment.data).length === 0 ? null : <JsonView value={moment.data} open={0} />
