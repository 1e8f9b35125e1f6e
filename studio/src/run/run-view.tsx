import { Page } from '../pieces/page.tsx'

export const RunView = () => <Page title="Run">{null}</Page>
