import { DOCUMENTS } from '../readers/documents.ts'
import { fuzz } from './fuzz.ts'

fuzz('a document', DOCUMENTS)
