/** The name and the state of a flow, and what makes its draft last: saving and publishing. */
import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import { useWork } from '../load.js';
import { Badge, ErrorBox } from '../parts.js';
import { t } from '../words.js';
import type { FlowEdits } from './flow-edits.js';

export function FlowHead({
  flow,
  edits,
  reload,
}: {
  readonly flow: Schemas['AdminFlow'];
  readonly edits: FlowEdits;
  readonly reload: () => void;
}) {
  const [said, setSaid] = useState<'saved' | 'published' | 'unpublished' | null>(null);
  const work = useWork();
  const path = `/flows/${flow.uuid}`;
  const act = (done: typeof said, run: () => Promise<unknown>): void => {
    setSaid(null);
    void work.run(run).then((worked) => {
      if (!worked) return;
      setSaid(done);
      reload();
    });
  };
  const save = async (): Promise<void> => {
    await send('PUT', `${path}/draft`, { definition: edits.definition });
    edits.clear();
  };
  return (
    <>
      <div class="title">
        <h1>{flow.name}</h1>
        <Badge kind={flow.status === 'active' ? 'good' : 'plain'}>{t(`flows.${flow.status}`)}</Badge>
        {flow.version !== null && (
          <span class="quiet">
            {t('flows.version')} {flow.version}
          </span>
        )}
        {edits.count > 0 && <Badge kind="warn">{t('flows.unsaved')}</Badge>}
        {edits.count === 0 && flow.version !== null && flow.draft_differs && (
          <Badge kind="warn">{t('flows.differs')}</Badge>
        )}
        <div class="actions end">
          <button
            data-op="saveFlowDraft"
            type="button"
            class="main"
            disabled={work.busy || edits.count === 0}
            onClick={() => act('saved', save)}
          >
            {t('flows.save')}
          </button>
          <button data-op="saveFlowDraft" type="button" disabled={edits.count === 0} onClick={edits.undo}>
            {t('flows.undo')}
          </button>
          <button
            data-op="publishFlow"
            type="button"
            disabled={work.busy || edits.count > 0 || (flow.status === 'active' && !flow.draft_differs)}
            onClick={() => act('published', () => send('POST', `${path}/publish`))}
          >
            {t('flows.publish')}
          </button>
          {flow.status === 'active' && (
            <button
              data-op="unpublishFlow"
              type="button"
              disabled={work.busy}
              onClick={() => act('unpublished', () => send('POST', `${path}/unpublish`))}
            >
              {t('flows.unpublish')}
            </button>
          )}
          <span role="status" class="quiet">
            {said !== null && t(`flows.${said}`)}
          </span>
        </div>
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}
