import { Page } from '../pieces/page.tsx'

export const EvaluationsView = () => <Page title="Evaluations">{null}</Page>
