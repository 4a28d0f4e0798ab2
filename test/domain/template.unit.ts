import { templateAggregate } from '../../domain/template/decide.js';
import { templateCommandExamples, templateEventExamples } from '../../domain/template/examples.js';
import { given } from '../support/decider.js';

const { imported, paused, removed } = templateEventExamples;
const { command: importIt } = templateCommandExamples.import;
const { command: importPaused } = templateCommandExamples.importPaused;

describe('template', () => {
  it('is imported when first seen, changed when it differs, left alone otherwise', () => {
    given(templateAggregate).when(importIt).then(imported);
    given(templateAggregate, imported).when(importIt).thenNothing();
    given(templateAggregate, imported).when(importPaused).then(paused);
    given(templateAggregate, imported, paused).when(importPaused).thenNothing();
  });

  it('has not changed when only the order of JSON keys has', () => {
    const { definition } = importIt;
    const components = definition.components.map((c) => Object.fromEntries(Object.entries(c).reverse()));
    const reordered = Object.fromEntries(
      Object.entries({ ...definition, components }).reverse(),
    ) as unknown as typeof definition;
    given(templateAggregate, imported)
      .when({ ...importIt, definition: reordered })
      .thenNothing();
  });

  it('has changed when the order of its components has', () => {
    const { definition } = importIt;
    const components = [...definition.components].reverse();
    given(templateAggregate, imported)
      .when({ ...importIt, definition: { ...definition, components } })
      .then({ type: 'TemplateChanged', data: { ...paused.data, status: 'APPROVED', components } });
  });

  it('is removed once, and never before it was there', () => {
    const remove = { type: 'RemoveTemplate' } as const;
    given(templateAggregate).when(remove).thenNothing();
    given(templateAggregate, imported).when(remove).then(removed);
    given(templateAggregate, imported, removed).when(remove).thenNothing();
  });

  it('that comes back is imported anew, so that read models which dropped it have all of it again', () => {
    given(templateAggregate, imported, removed).when(importIt).then(imported);
    given(templateAggregate, imported, removed, imported).when(importIt).thenNothing();
  });
});
