import { Page } from '../pieces/page.tsx'

export const RunsView = () => <Page title="Runs">{null}</Page>
