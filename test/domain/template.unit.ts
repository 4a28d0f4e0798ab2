import { templateAggregate } from '../../domain/template/decide.js';
import { templateCommandExamples, templateEventExamples } from '../support/examples/template.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';

const { imported, paused, removed, qualityReported, categoryAnnounced, sendRefused } = templateEventExamples;
const { command: importIt } = templateCommandExamples.import;
const { command: importPaused } = templateCommandExamples.importPaused;

const template = given(templateAggregate, imported);
const refusedTemplate = given(templateAggregate, imported, sendRefused);
const removedTemplate = given(templateAggregate, imported, removed);

describe('template', () => {
  it('is imported when first seen, changed when it differs, left alone otherwise', () => {
    given(templateAggregate).when(importIt).then(imported);
    template.when(importIt).thenNothing();
    template.when(importPaused).then(paused);
    given(templateAggregate, imported, paused).when(importPaused).thenNothing();
  });

  it('has not changed when only the order of JSON keys has', () => {
    const { definition } = importIt;
    const components = definition.components.map((c) => Object.fromEntries(Object.entries(c).reverse()));
    const reordered = Object.fromEntries(
      Object.entries({ ...definition, components }).reverse(),
    ) as unknown as typeof definition;
    template.when({ ...importIt, definition: reordered }).thenNothing();
  });

  it('has changed when the order of its components has', () => {
    const { definition } = importIt;
    const components = [...definition.components].reverse();
    template.when({ ...importIt, definition: { ...definition, components } }).then({
      type: 'TemplateChanged',
      data: { ...paused.data, status: 'APPROVED', provider_status: 'APPROVED', components },
    });
  });

  it('is removed once, and never before it was there', () => {
    const remove = { type: 'RemoveTemplate' } as const;
    given(templateAggregate).when(remove).thenNothing();
    template.when(remove).then(removed);
    removedTemplate.when(remove).thenNothing();
  });

  it('reported as deleted, by list or webhook, is removed', () => {
    const gone = { ...importIt, definition: { ...importIt.definition, status: 'DELETED' } };
    template.when(gone).then(removed);
    given(templateAggregate).when(gone).thenNothing();
    template.when({ type: 'ReportTemplate', status: 'DELETED' }).then(removed);
  });

  const statuses: readonly (readonly [string, string])[] = [
    ['APPROVED', 'APPROVED'],
    ['PENDING', 'PENDING'],
    ['REJECTED', 'REJECTED'],
    ['PAUSED', 'PAUSED'],
    ['DISABLED', 'DISABLED'],
    ['IN_APPEAL', 'IN_APPEAL'],
    ['DRAFT', 'DRAFT'],
    ['FLAGGED', 'APPROVED'],
    ['REINSTATED', 'APPROVED'],
    ['PENDING_DELETION', 'DISABLED'],
    ['LIMIT_EXCEEDED', 'DISABLED'],
    ['ARCHIVED', 'DISABLED'],
    ['SOMETHING_NEW', 'DISABLED'],
    ['constructor', 'DISABLED'],
  ];
  for (const [word, status] of statuses) {
    it(`keeps the provider's ${word}, which reads as ${status}`, () => {
      const command = { ...importIt, definition: { ...importIt.definition, status: word } };
      given(templateAggregate)
        .when(command)
        .then(withData(imported, { status, provider_status: word }));
    });
  }

  const categories: readonly (readonly [string, string])[] = [
    ['AUTHENTICATION', 'AUTHENTICATION'],
    ['UTILITY', 'UTILITY'],
    ['MARKETING', 'MARKETING'],
    ['SOMETHING_NEW', 'MARKETING'],
  ];
  for (const [word, category] of categories) {
    it(`keeps the provider's category ${word}, which counts as ${category}`, () => {
      const command = { ...importIt, definition: { ...importIt.definition, category: word } };
      given(templateAggregate)
        .when(command)
        .then(withData(imported, { category, provider_category: word }));
    });
  }

  it('that is not there, or not any more, has no report', () => {
    const report = { type: 'ReportTemplate', status: 'PAUSED' } as const;
    given(templateAggregate).when(report).thenNothing();
    removedTemplate.when(report).thenNothing();
  });

  it('has nothing announced by a report of the category that it has', () => {
    template
      .when({ type: 'ReportTemplate', upcomingCategory: imported.data.provider_category })
      .thenNothing();
  });

  it('keeps the reason of a rejection until another status is reported', () => {
    const rejected = {
      type: 'TemplateChanged',
      data: {
        ...paused.data,
        status: 'REJECTED',
        provider_status: 'REJECTED',
        rejected_reason: 'INVALID_FORMAT',
      },
    } as const;
    template
      .when({ type: 'ReportTemplate', status: 'REJECTED', rejectedReason: 'INVALID_FORMAT' })
      .then(rejected);
    given(templateAggregate, imported, rejected)
      .when({ type: 'ReportTemplate', category: 'MARKETING' })
      .then(withData(rejected, { category: 'MARKETING', provider_category: 'MARKETING' }));
    given(templateAggregate, imported, rejected)
      .when({ type: 'ReportTemplate', status: 'APPROVED' })
      .then(withData(rejected, { status: 'APPROVED', provider_status: 'APPROVED', rejected_reason: null }));
  });

  it('tells its quality apart from its definition, and only when it is told and differs', () => {
    const rated = (quality: string | null) => ({
      ...importIt,
      definition: { ...importIt.definition, quality },
    });
    given(templateAggregate).when(rated('YELLOW')).then(imported, qualityReported);
    given(templateAggregate).when(rated(null)).then(imported);
    given(templateAggregate, imported, qualityReported).when(rated('YELLOW')).thenNothing();
    given(templateAggregate, imported, qualityReported).when(importIt).thenNothing();
    template.when({ type: 'ReportTemplate', quality: 'YELLOW' }).then(qualityReported);
  });

  it('moves to another category, of which an announcement comes first', () => {
    const announce = { type: 'ReportTemplate', category: 'UTILITY', upcomingCategory: 'MARKETING' } as const;
    template.when(announce).then(categoryAnnounced);
    given(templateAggregate, imported, categoryAnnounced).when(announce).thenNothing();
    const moved = {
      type: 'TemplateChanged',
      data: { ...paused.data, status: 'APPROVED', provider_status: 'APPROVED' },
    } as const;
    const marketing = { ...moved.data, category: 'MARKETING', provider_category: 'MARKETING' };
    given(templateAggregate, imported, categoryAnnounced)
      .when({ type: 'ReportTemplate', category: 'MARKETING' })
      .then({ ...moved, data: marketing });
    given(templateAggregate, imported, categoryAnnounced, { ...moved, data: marketing })
      .when(announce)
      .then(moved, categoryAnnounced);
  });

  describe('a refused send', () => {
    const note = (code: number) =>
      ({ type: 'NoteTemplateRefusal', code, title: 'Template is paused' }) as const;

    it('pauses or disables it, and is told once per reason', () => {
      template.when(note(132015)).then(sendRefused);
      refusedTemplate.when(note(132015)).thenNothing();
      refusedTemplate
        .when(note(132016))
        .then(withData(sendRefused, { code: 132016, provider_status: 'DISABLED' }));
      const wrong = withData(sendRefused, { code: 132000, provider_status: null });
      template.when(note(132000)).then(wrong);
      given(templateAggregate, imported, wrong).when(note(132000)).thenNothing();
    });

    it('is told again once the provider had it otherwise in between', () => {
      const back = withData(paused, { status: 'APPROVED', provider_status: 'APPROVED' });
      refusedTemplate.when(importIt).then(back);
      given(templateAggregate, imported, sendRefused, back).when(note(132015)).then(sendRefused);
    });

    it('of a template that is not there changes nothing', () => {
      given(templateAggregate).when(note(132015)).thenNothing();
      removedTemplate.when(note(132015)).thenNothing();
    });
  });

  it('that comes back is imported anew, so that read models which dropped it have all of it again', () => {
    removedTemplate.when(importIt).then(imported);
    given(templateAggregate, imported, removed, imported).when(importIt).thenNothing();
  });
});
