/** The listings of docs/migration.md: what an application led by before, behind the interface of a tandem. */
package com.example.migration.companion;
